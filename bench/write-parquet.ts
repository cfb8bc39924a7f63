/**
 * Writes the parts of an output folder again, as tasks write them and through the database, in turns: CPU
 * time and size of both, and the number of rows that the database reads differently.
 *
 *     npx tsx bench/write-parquet.ts crawl.chaff
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, quote } from '../src/store/database.ts';
import { ColumnBuffer, copyToParquet, type Schema } from '../test/column-buffer.ts';

const ROUNDS = 5;
/** Columns with repeated texts, which are stored as distinct words, as in tasks. */
const WORDS = ['detector', 'label', 'template', 'reason'];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new RangeError('name an output folder of chaff report');

const database = await Database.open({ memoryMb: 1024 });
const scratch = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
const ownFile = join(scratch, 'own.parquet');
const databaseFile = join(scratch, 'database.parquet');

for (const kind of ['pages', 'ranges']) {
  const names = readdirSync(join(folder, kind)).sort();
  const parts: ColumnBuffer[] = [];
  for (const name of names) parts.push(await readPart(join(folder, kind, name)));
  const own = { seconds: Number.POSITIVE_INFINITY, bytes: 0 };
  const other = { seconds: Number.POSITIVE_INFINITY, bytes: 0 };
  let different = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const spent = { own: 0, other: 0 };
    own.bytes = 0;
    other.bytes = 0;
    for (const part of parts) {
      spent.own += await cpuSeconds(async () => part.toParquet(ownFile));
      spent.other += await cpuSeconds(() => writeByDatabase(part));
      own.bytes += statSync(ownFile).size;
      other.bytes += statSync(databaseFile).size;
      if (round === 0) different += await countDifferences();
    }
    own.seconds = Math.min(own.seconds, spent.own);
    other.seconds = Math.min(other.seconds, spent.other);
  }
  const rows = parts.reduce((sum, { rowCount }) => sum + rowCount, 0);
  console.log(
    `${kind}: ${names.length} parts, ${rows.toLocaleString('en')} rows, ${different} read differently`,
  );
  for (const [who, { seconds, bytes }] of Object.entries({ ours: own, database: other })) {
    console.log(`  ${who.padEnd(9)} ${seconds.toFixed(3)} s of CPU, ${(bytes / 1e6).toFixed(2)} MB`);
  }
}
database.close();
rmSync(scratch, { recursive: true });

async function readPart(path: string): Promise<ColumnBuffer> {
  const file = `read_parquet(${quote(path)})`;
  const columns = await database.rows<{ column_name: string; column_type: Schema[string] }>(
    `DESCRIBE FROM ${file}`,
  );
  const buffer = new ColumnBuffer(
    Object.fromEntries(
      columns.map(({ column_name: name, column_type: type }) => [name, WORDS.includes(name) ? 'WORD' : type]),
    ),
  );
  const reader = await database.connection.runAndReadAll(`FROM ${file}`);
  for (const row of reader.getRows()) buffer.add(...(row as Parameters<ColumnBuffer['add']>));
  return buffer;
}

async function writeByDatabase(part: ColumnBuffer): Promise<void> {
  await part.toTable(database, 'passing');
  await copyToParquet(database, 'FROM passing', databaseFile);
  await database.run('DROP TABLE passing');
}

/** Counts the rows of one file that differ from the row at the same position in the other. */
async function countDifferences(): Promise<number> {
  const numbered = (path: string) => `FROM read_parquet(${quote(path)}, file_row_number = true)`;
  const [{ n }] = await database.rows<{ n: number }>(
    `SELECT count(*) AS n FROM (${numbered(ownFile)} EXCEPT ALL ${numbered(databaseFile)})`,
  );
  return n;
}

async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
