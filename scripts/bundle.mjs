// Bundles an entry point of src/ into dist/: one file with what is always needed, and one for each import() and what
// several of those share, so that a command compiles its own code and not that of the others.
//
// Packages of plain JavaScript are bundled too, with their licences beside: an import of a CommonJS file makes Node
// search its text for names first, 0.2 s for every thread.
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const source = join(root, 'src');
export const dist = join(root, 'dist');

/** Packages with machine code, wasm or browsers of their own, and what Node brings. */
const OUTSIDE = /^(?:node:|(?:@duckdb|@bokuweb|@sparticuz|playwright-core)(?:\/|$))/;

/** Bundles `src/<entry>.ts` into `dist/<entry>.js` and files beside it; gives the paths of all modules that are in them. */
export async function bundle(entry) {
  const { output } = await build({
    input: join(source, `${entry}.ts`),
    platform: 'node',
    external: OUTSIDE,
    plugins: [keepPlaces(dirname(join(source, entry)))],
    logLevel: 'warn',
    output: {
      dir: join(dist, dirname(entry)),
      entryFileNames: `${basename(entry)}.js`,
      chunkFileNames: `${basename(entry)}-[name].js`,
      format: 'esm',
    },
  });
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
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
