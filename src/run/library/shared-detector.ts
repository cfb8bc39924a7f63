/**
 * The joint detector for calls on single pages. It is made once for each combination of options, because it lays out
 * the trees of its model in the kernel's memory. Sites share it; it keeps the tables of the 32 site models used last.
 */
import type { Detector } from '../../detect/detector.ts';
import { type JointOptions, type JointSiteModel, jointDetector } from '../../detect/joint/joint-detector.ts';

/** The joint detector with its site models. */
export type JointDetector = Detector<JointSiteModel>;

interface Kept {
  key: string;
  model: JointOptions['model'];
  detector: JointDetector;
  unknownSite?: JointSiteModel;
}

/** Maximum number of detectors that are kept, one per combination of options; a program has one or two. */
const MAX_KEPT = 8;
/** Detectors in order of use; the last used is last. */
const kept: Kept[] = [];

/** The detector with these options; throws when an option is unknown or invalid. */
export function sharedDetector(options: JointOptions = {}): JointDetector {
  return find(options).detector;
}

/** The model of an unknown site: pages are judged by themselves. */
export function unknownSite(options: JointOptions = {}): JointSiteModel {
  const found = find(options);
  found.unknownSite ??= found.detector.learn('', []);
  return found.unknownSite;
}

function find(options: JointOptions): Kept {
  const { model, ...plain } = options;
  // a value that JSON has no form for is refused when the detector is made
  const key = JSON.stringify(Object.entries(plain).sort(), (_, value) =>
    typeof value === 'bigint' || typeof value === 'symbol' ? String(value) : value,
  );
  const at = kept.findIndex((one) => one.key === key && one.model === model);
  const found = at < 0 ? { key, model, detector: jointDetector(options) } : kept.splice(at, 1)[0];
  kept.push(found);
  if (kept.length > MAX_KEPT) kept.shift()?.detector.release?.();
  return found;
}
