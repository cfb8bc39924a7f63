/** The list of detectors. A new detector is a file, its test and a line here. */

import { checkChoice, checkNames } from '../model/check-option.ts';
import { crossDetector } from './cross/cross-detector.ts';
import type { CrossOptions } from './cross/cross-settings.ts';
import type { Detector, DetectorName } from './detector.ts';
import { domDetector } from './dom-detector.ts';
import type { DomOptions } from './dom-settings.ts';
import { type JointOptions, jointDetector } from './joint/joint-detector.ts';
import { noneDetector } from './none-detector.ts';
import { type PageDetectorOptions, pageDetector } from './page/page-detector.ts';
import { textDetector } from './text-detector.ts';
import type { TextOptions } from './text-settings.ts';

/** Options of each detector, by name. */
export interface DetectorOptions {
  joint: JointOptions;
  dom: DomOptions;
  text: TextOptions;
  cross: CrossOptions;
  page: PageDetectorOptions;
  none: Record<string, never>;
}

/** Makes a detector with options, by name. */
export const detectors: { [Name in DetectorName]: (options?: DetectorOptions[Name]) => Detector } = {
  joint: (options) => jointDetector(options) as Detector,
  dom: (options) => domDetector(options) as Detector,
  text: (options) => textDetector(options) as Detector,
  cross: (options) => crossDetector(options) as Detector,
  page: (options) => pageDetector(options) as Detector,
  none: () => noneDetector() as Detector,
};

/** Names of all detectors, in the order in which options and tables list them. */
export const DETECTOR_NAMES = Object.keys(detectors) as DetectorName[];

/** Throws for options of an unknown detector, and for options that are no object. */
export function checkDetectorOptions(options: Partial<DetectorOptions>): void {
  checkNames(options, DETECTOR_NAMES, 'detectorOptions');
  for (const [name, own] of Object.entries(options)) {
    if (own !== undefined) checkNames(own, Object.keys(own ?? {}), `detectorOptions.${name}`);
  }
}

/**
 * Returns a detector by its name; throws a RangeError that lists the names when there is no such detector.
 */
export function makeDetector(name: string, options: object = {}): Detector {
  return detectors[checkChoice('detector', name as DetectorName, DETECTOR_NAMES)](options as never);
}
