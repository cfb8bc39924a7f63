/**
 * The joint model inside `chaff/core`: a third of its JSON text, without the figures of its training. This module
 * replaces packaged-joint-model.ts there. scripts/bundle-core.mjs writes the bytes, little-endian:
 *
 *   for each of `first`, `second`: bias (f64), trees (u32), then for each tree its nodes (u16), the feature of each (u16,
 *   65,535 for a leaf) and the threshold or value of each (f32)
 *   the weights of names (i8 each) up to the end
 */
import { FEATURE_FLOATS } from '../../kernel/block-layout.ts';
import { type BoostedTrees, decodeBoostedTrees } from '../../learn/boosted-trees.ts';
import type { JointModel } from './joint-model.ts';

const LEAF = 0xffff;

let given: JointModel | undefined;

/** Sets the model of this process from its compact bytes; only the first call has an effect. */
export function useJointModel(bytes: Uint8Array): void {
  given ??= decodeCompactModel(bytes);
}

/** Returns the model that `load` has set; throws before `load`. */
export function packagedJointModel(): JointModel {
  if (!given) throw new Error('chaff/core is not loaded: await load() first');
  return given;
}

/** Decodes the compact bytes to a joint model; the card holds no training figures. */
export function decodeCompactModel(bytes: Uint8Array): JointModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const readTrees = (): BoostedTrees => {
    const bias = view.getFloat64(at, true);
    const count = view.getUint32(at + 8, true);
    at += 12;
    const features: number[][] = [];
    const numbers: number[][] = [];
    for (let tree = 0; tree < count; tree++) {
      const nodes = view.getUint16(at, true);
      const featuresAt = at + 2;
      const numbersAt = featuresAt + 2 * nodes;
      at = numbersAt + 4 * nodes;
      const featureOf = (k: number) => view.getUint16(featuresAt + 2 * k, true);
      features.push(Array.from({ length: nodes }, (_, k) => (featureOf(k) === LEAF ? -1 : featureOf(k))));
      numbers.push(Array.from({ length: nodes }, (_, k) => view.getFloat32(numbersAt + 4 * k, true)));
    }
    return decodeBoostedTrees({ width: FEATURE_FLOATS, bias, features, numbers, gain: [] });
  };
  const first = readTrees();
  const second = readTrees();
  const names = new Int8Array(bytes.slice(at).buffer);
  const card = { name: 'compact', data: '', pages: 0, hosts: 0, rows: 0, settings: {}, limits: '' };
  return { names, first, second, card };
}
