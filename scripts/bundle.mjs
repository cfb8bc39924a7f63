// Bundles an entry point of src/ into one file of dist/.
//
// Bundled because V8 treats a constant or class of another module as a variable, to be loaded at every use;
// within one module it is folded into the code: a fifth of parsing. For the same reason nothing is shared
// between bundles. Packages of plain JavaScript are bundled too, with their licences beside: an import of a
// CommonJS file makes Node search its text for names first, 0.2 s for every thread.
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const source = join(root, 'src');
export const dist = join(root, 'dist');

/** Packages with machine code, wasm or browsers of their own, and what Node brings. */
const OUTSIDE = /^(?:node:|(?:@duckdb|@bokuweb|@sparticuz|playwright-core)(?:\/|$))/;

/** Bundles `src/<entry>.ts` into `dist/<entry>.js`; gives the paths of all modules that are in it. */
export async function bundle(entry) {
  const { output } = await build({
    input: join(source, `${entry}.ts`),
    platform: 'node',
    external: OUTSIDE,
    plugins: [keepPlaces(dirname(join(source, entry)))],
    logLevel: 'warn',
    output: { file: join(dist, `${entry}.js`), format: 'esm', codeSplitting: false },
  });
  return output[0].moduleIds;
}

/** Bundles the interface of the database into one file, without its machine code; gives the paths of its modules. */
export async function bundleDatabase() {
  const { output } = await build({
    input: createRequire(import.meta.url).resolve('@duckdb/node-api'),
    platform: 'node',
    external: /^(?:node:|@duckdb\/node-bindings)/,
    logLevel: 'warn',
    output: { file: join(dist, 'store/duckdb-api.cjs'), format: 'cjs', codeSplitting: false },
  });
  return output[0].moduleIds;
}

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
