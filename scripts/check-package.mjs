// Packs the package as it is built and checks what others would get: publint looks at its files, attw (Are the types
// wrong?) at how import and require resolve to types. Node 10's resolution knows no subpaths and is left out: the package
// needs Node 20.19. core.wasm is no JavaScript and has no types. The declarations must not need packages that users need not
// install. At last npm goes through the motions of publishing, and
// must not correct package.json on the way. Needs no network.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './bundle.mjs';

const read = new Set();
const open = ['index.d.ts', 'core.d.ts'].map((name) => join(root, 'dist', name));
for (let file = open.pop(); file !== undefined; file = open.pop()) {
  if (read.has(file)) continue;
  read.add(file);
  for (const [, from] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)) {
    if (from === 'playwright-core') throw new Error(`${file} imports ${from}, which is optional`);
    if (from.startsWith('.')) open.push(join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts')));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'chaff-pack-'));
const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });
try {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: 'ignore',
  });
  const packed = join(folder, readdirSync(folder)[0]);
  run(join(root, 'node_modules/.bin/publint'), ['run', packed, '--strict']);
  run(join(root, 'node_modules/.bin/attw'), [
    packed,
    '--profile',
    'node16',
    '--exclude-entrypoints',
    'core.wasm',
  ]);
  const publish = ['publish', '--dry-run', '--ignore-scripts', '--offline'];
  const { status, stderr } = spawnSync('npm', publish, { cwd: root, encoding: 'utf8' });
  if (status !== 0 || stderr.includes('auto-corrected')) throw new Error(`npm publish --dry-run:\n${stderr}`);
} finally {
  rmSync(folder, { recursive: true });
}
