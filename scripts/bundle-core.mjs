// Bundles src/core.ts into one file that needs neither Node nor another file: the kernel, without the functions that
// core does not call, and the model are inside as Base64. dist/core.wasm is the same kernel, for runtimes that compile
// no WebAssembly themselves.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { dist, root, source } from './bundle.mjs';

/** What core has instead of modules that read the disk. */
const TWINS = [
  [/\/thread-kernel\.ts$/, 'kernel/given-kernel.ts'],
  [/\/packaged-joint-model\.ts$/, 'detect/joint/compact-joint-model.ts'],
  [/^(?:node:buffer|@exodus\/bytes\/encoding\.js|chardet|tldts|franc\/data\.js)$/, 'core-platform.ts'],
];

/** Writes dist/core.js and dist/core.wasm; gives the paths of all modules that are in them. */
export async function bundleCore() {
  const { output } = await build({
    input: join(source, 'core.ts'),
    platform: 'neutral',
    resolve: { conditionNames: ['import', 'default'], mainFields: ['module', 'main'] },
    plugins: [
      {
        name: 'twins',
        resolveId(id) {
          const twin = TWINS.find(([pattern]) => pattern.test(id));
          return twin ? join(source, twin[1]) : null;
        },
      },
    ],
    transform: { inject: { Buffer: [join(source, 'core-platform.ts'), 'Buffer'] } },
    logLevel: 'warn',
    write: false,
    output: { format: 'esm', codeSplitting: false, minify: true },
  });
  const [{ code, moduleIds }] = output;
  const kernel = await trimKernel(code);
  writeFileSync(join(dist, 'core.wasm'), kernel);
  const model = compactModel(JSON.parse(readFileSync(join(root, 'models/joint.json'), 'utf8')));
  const whole = code.replace('@kernel@', () => pack(kernel)).replace('@model@', () => pack(model));
  writeFileSync(join(dist, 'core.js'), whole);
  return moduleIds;
}

function pack(bytes) {
  return gzipSync(bytes, { level: 9 }).toString('base64');
}

/** The kernel with the functions that the code names. */
async function trimKernel(code) {
  const { default: binaryen } = await import('assemblyscript/binaryen');
  const module = binaryen.readBinary(readFileSync(join(source, 'kernel/kernel.wasm')));
  const { BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, SignExt, SIMD128 } =
    binaryen.Features;
  module.setFeatures(BulkMemory | BulkMemoryOpt | MutableGlobals | NontrappingFPToInt | SignExt | SIMD128);
  for (let k = module.getNumExports() - 1; k >= 0; k--) {
    const { name } = binaryen.getExportInfo(module.getExportByIndex(k));
    if (!new RegExp(`\\.${name}\\b`).test(code)) module.removeExport(name);
  }
  module.runPasses(['remove-unused-module-elements']);
  return module.emitBinary();
}

/** The form that src/detect/joint/compact-joint-model.ts reads. */
function compactModel({ names, first, second }) {
  const parts = [];
  for (const { bias, features, numbers } of [first, second]) {
    const head = Buffer.alloc(12);
    head.writeDoubleLE(bias);
    head.writeUInt32LE(features.length, 8);
    parts.push(head);
    for (const [tree, ofTree] of features.entries()) {
      const nodes = Buffer.alloc(2 + 6 * ofTree.length);
      nodes.writeUInt16LE(ofTree.length);
      for (const [k, feature] of ofTree.entries()) {
        nodes.writeUInt16LE(feature < 0 ? 0xffff : feature, 2 + 2 * k);
        nodes.writeFloatLE(numbers[tree][k], 2 + 2 * ofTree.length + 4 * k);
      }
      parts.push(nodes);
    }
  }
  return Buffer.concat([...parts, Buffer.from(names, 'base64')]);
}
