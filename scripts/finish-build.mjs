// After tsc, which checks and writes the types: bundles each entry point of src/ into one file of dist/, copies
// the report's browser scripts and styles, makes the command executable and marks the build as finished.
//
// Bundled because V8 treats a constant or class of another module as a variable, to be loaded at every use;
// within one module it is folded into the code: a fifth of parsing. For the same reason nothing is shared
// between bundles. What is installed with the package stays outside.
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** The library, the command line, and what its threads run. */
const ENTRIES = ['index', 'cli/bin', 'run/worker'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src');
const dist = join(root, 'dist');

// modules of an earlier build
for (const path of filesOf(dist, /\.js$/)) rmSync(path);

for (const entry of ENTRIES) {
  await build({
    input: join(source, `${entry}.ts`),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith(root),
    plugins: [keepPlaces(dirname(join(source, entry)))],
    logLevel: 'warn',
    output: { file: join(dist, `${entry}.js`), format: 'esm', codeSplitting: false },
  });
}
for (const path of filesOf(source, /\.(css|js|html)$/)) {
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
      if (!code.includes('import.meta.url')) return null;
      const place = relative(outputFolder, id.replace(/\.ts$/, '.js')).split(sep).join('/');
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  };
}

function filesOf(folder, names) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
