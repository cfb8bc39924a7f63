/** The settings of the text detector, as the paper writes them: W.F.D.P. */
import { checkChoice, checkNames, checkNumber } from '../model/check-option.ts';

export interface TextOptions {
  /** W: window size, in characters, 4 to 1,000. @default 32 */
  windowCharacters?: number;
  /** F: pages of the sample that must hold a window, 2 to 1,000,000. @default 10 */
  frequency?: number;
  /** D: keep one window in D; 0 keeps all; to 1,000. @default 0 */
  density?: number;
  /** P: pages the frequency is meant for, 2 to 1,000,000; also how many to sample. @default 200 */
  samplePages?: number;
  /** With fewer pages than P, lower F in proportion ("as the number of pages sampled is decreased, F must decrease too"). @default true */
  scaleFrequency?: boolean;
  /** F is never scaled below this: "with very small values of F there is a risk of spurious fragments". @default 3 */
  minFrequency?: number;
  /**
   * Let no template begin or end within a word, or begin with the full stop of the sentence before it; at
   * most a word at each end stays content. @default true
   */
  wholeWords?: boolean;
  /**
   * `pages`: cut a template where a text on many pages runs into one on less than half as many, into pieces of W
   * characters and more. `none`: whatever touches is one template, as in the paper. @default 'pages'
   */
  cut?: TextCut;
  /**
   * What F counts: pages that hold a window, or its occurrences, as in the paper, also when one page has them all.
   * @default 'pages'
   */
  count?: TextCount;
}

export const TEXT_CUTS = ['pages', 'none'] as const;
export type TextCut = (typeof TEXT_CUTS)[number];

export const TEXT_COUNTS = ['pages', 'occurrences'] as const;
export type TextCount = (typeof TEXT_COUNTS)[number];

export const TEXT_DEFAULTS: Readonly<Required<TextOptions>> = {
  windowCharacters: 32,
  frequency: 10,
  density: 0,
  samplePages: 200,
  scaleFrequency: true,
  minFrequency: 3,
  wholeWords: true,
  cut: 'pages',
  count: 'pages',
};

/** Reads `32.10.40.200`; throws a RangeError that says what is wrong with it. */
export function parseTextSettings(settings: string): TextOptions {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(settings.trim());
  if (!parts) {
    throw new RangeError(
      `text settings must be W.F.D.P, four whole numbers as in 32.10.0.200 (window, frequency, density, pages), not "${settings}"`,
    );
  }
  const [windowCharacters, frequency, density, samplePages] = parts.slice(1).map(Number);
  const options = { windowCharacters, frequency, density, samplePages };
  checkTextOptions(options);
  return options;
}

/** The settings as the paper writes them. */
export function formatTextSettings(options: TextOptions = {}): string {
  const { windowCharacters, frequency, density, samplePages } = { ...TEXT_DEFAULTS, ...options };
  return [windowCharacters, frequency, density, samplePages].join('.');
}

/** Checks every option and fills in the defaults. */
export function checkTextOptions(options: TextOptions): Required<TextOptions> {
  checkNames(options, Object.keys(TEXT_DEFAULTS));
  const checked = { ...TEXT_DEFAULTS, ...options };
  checkNumber('windowCharacters (W)', checked.windowCharacters, { min: 4, max: 1000, whole: true });
  checkNumber('frequency (F)', checked.frequency, { min: 2, max: 1_000_000, whole: true });
  checkNumber('density (D)', checked.density, { min: 0, max: 1000, whole: true });
  checkNumber('samplePages (P)', checked.samplePages, { min: 2, max: 1_000_000, whole: true });
  checkNumber('minFrequency', checked.minFrequency, { min: 2, max: 1_000_000, whole: true });
  checkChoice('cut', checked.cut, TEXT_CUTS);
  checkChoice('count', checked.count, TEXT_COUNTS);
  if (checked.count === 'pages' && checked.frequency > checked.samplePages) {
    throw new RangeError(
      `frequency (F) must not exceed samplePages (P): ${checked.frequency} of ${checked.samplePages} pages`,
    );
  }
  return checked;
}

/** F for a sample of this many pages. */
export function frequencyFor(pages: number, options: Required<TextOptions>): number {
  const { frequency, samplePages, scaleFrequency, minFrequency } = options;
  if (!scaleFrequency || pages >= samplePages) return frequency;
  return Math.min(frequency, Math.max(minFrequency, Math.ceil((frequency * pages) / samplePages)));
}
