// After tsc, which checks and writes the types: bundles each entry point of src/ into one file of dist/, copies
// the report's browser scripts and styles, makes the command executable and marks the build as finished.
//
// Bundled because V8 treats a constant or class of another module as a variable, to be loaded at every use;
// within one module it is folded into the code: a fifth of parsing. For the same reason nothing is shared
// between bundles. Packages of plain JavaScript are bundled too, with their licences beside: an import of a
// CommonJS file makes Node search its text for names first, 0.2 s for every thread.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** The library, the command line, and what its threads run. */
const ENTRIES = ['index', 'cli/bin', 'cli/command-thread', 'run/executors/worker'];
/** Packages with machine code, wasm or browsers of their own, and what Node brings. */
const OUTSIDE = /^(?:node:|(?:@duckdb|@bokuweb|@sparticuz|playwright-core)(?:\/|$))/;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src');
const dist = join(root, 'dist');

// modules of an earlier build
for (const path of filesOf(dist, /\.js$/)) rmSync(path);

const packages = new Set();
for (const entry of ENTRIES) {
  const { output } = await build({
    input: join(source, `${entry}.ts`),
    platform: 'node',
    external: OUTSIDE,
    plugins: [keepPlaces(dirname(join(source, entry)))],
    logLevel: 'warn',
    output: { file: join(dist, `${entry}.js`), format: 'esm', codeSplitting: false },
  });
  for (const id of output[0].moduleIds) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
    if (folder !== undefined) packages.add(folder);
  }
}
writeFileSync(join(dist, 'bundled-licences.txt'), [...packages].sort().map(licenceOf).join('\n'));
for (const path of filesOf(source, /\.(css|js|html|wasm)$/)) {
  const to = join(dist, relative(source, path));
  mkdirSync(dirname(to), { recursive: true });
  cpSync(path, to);
}
chmodSync(join(dist, 'cli/bin.js'), 0o755);
writeFileSync(join(dist, '.built'), '');

/** A module that names files beside it finds them there wherever it is bundled into. */
function keepPlaces(outputFolder) {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
      const place = relative(outputFolder, id.replace(/\.ts$/, '.js')).split(sep).join('/');
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  };
}

/** What a bundled package asks to be handed on with its code. */
function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled and comes without its licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

function filesOf(folder, names) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
