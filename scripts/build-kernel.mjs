// Compiles src/kernel/assembly/ (AssemblyScript) into src/kernel/kernel.wasm when its sources are newer. The build runs
// this before it bundles, and vitest before its first test.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const kernel = join(root, 'src/kernel');
const output = join(kernel, 'kernel.wasm');

const FAST = ['-O3', '--noAssert'];
/** A trap has the names of functions in its stack, and asserts and bounds of typed accesses are checked. */
const DEBUG = ['--debug'];

/**
 * Compiles the kernel if any of its sources, the compiler's version or this script is newer than the last build. With
 * `debug` it always does, without optimising.
 */
export async function buildKernel({ debug = false } = {}) {
  if (!debug && existsSync(output) && newestSource() <= statSync(output).mtimeMs) return;
  // the compiler takes half a second to load
  const { main } = await import('assemblyscript/asc');
  const { error, stderr } = await main(
    [
      relative(root, join(kernel, 'assembly/index.ts')),
      ...['--outFile', relative(root, output)],
      ...(debug ? DEBUG : FAST),
      ...['--runtime', 'stub', '--enable', 'simd,bulk-memory', '--use', 'abort='],
      ...['--importMemory', '--zeroFilledMemory'],
      ...['--initialMemory', '5', '--maximumMemory', '65536', '--memoryBase', '16'],
    ],
    { stdout: undefined, stderr: undefined },
  );
  if (error) throw new Error(`the kernel does not compile: ${error.message}\n${stderr.toString()}`);
  if (!debug) await inlineMore();
}

/** Inlines larger functions than the compiler does, which V8 never inlines: parsing is 6 % faster. */
async function inlineMore() {
  const { default: binaryen } = await import('assemblyscript/binaryen');
  const module = binaryen.readBinary(readFileSync(output));
  const { BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, SignExt, SIMD128 } =
    binaryen.Features;
  module.setFeatures(BulkMemory | BulkMemoryOpt | MutableGlobals | NontrappingFPToInt | SignExt | SIMD128);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(40);
  binaryen.setFlexibleInlineMaxSize(200);
  binaryen.setOneCallerInlineMaxSize(2000);
  module.optimize();
  writeFileSync(output, module.emitBinary());
}

/** What vitest calls before the first test. */
export const setup = () => buildKernel();

function newestSource() {
  const folder = join(kernel, 'assembly');
  const sources = readdirSync(folder, { recursive: true }).map((file) => join(folder, file));
  sources.push(
    ...readdirSync(kernel)
      .filter((file) => file.endsWith('layout.ts') || file === 'tag-lists.ts')
      .map((file) => join(kernel, file)),
  );
  sources.push(join(root, 'package.json'), fileURLToPath(import.meta.url));
  return Math.max(...sources.map((file) => statSync(file).mtimeMs));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildKernel({ debug: process.argv.includes('--debug') });
}
