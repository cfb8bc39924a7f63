/** Settings of the text detector in the notation of the paper: W.F.D.P. */
import { checkChoice, checkNames, checkNumber } from '../model/check-option.ts';

/** Options of the text detector. */
export interface TextOptions {
  /** Size of a window in characters (W), 4 to 1,000. @default 32 */
  windowCharacters?: number;
  /** Minimum number of pages of the sample with a window (F), 2 to 1,000,000. @default 10 */
  frequency?: number;
  /** Keep one window in D, up to 1,000; 0 keeps all. @default 0 */
  density?: number;
  /** Number of pages to sample, which `frequency` refers to (P), 2 to 1,000,000. @default 200 */
  samplePages?: number;
  /**
   * Whether F is lowered in proportion with fewer than P pages ("as the number of pages sampled is decreased,
   * F must decrease too"). @default true
   */
  scaleFrequency?: boolean;
  /**
   * Minimum of the scaled F: "with very small values of F there is a risk of spurious fragments". @default 3
   */
  minFrequency?: number;
  /**
   * Whether templates must not begin or end inside a word, or begin with the full stop of the sentence
   * before; at most a word at each end stays content. @default true
   */
  wholeWords?: boolean;
  /**
   * `pages`: cut a template where a text on many pages is followed by one on less than half as many, into
   * pieces of at least W characters. `none`: adjacent template text is one template, as in the paper.
   * @default 'pages'
   */
  cut?: TextCut;
  /**
   * What F counts: pages with a window, or its occurrences, as in the paper, even if they are all on one
   * page. @default 'pages'
   */
  count?: TextCount;
}

/** All values of `TextCut`. */
export const TEXT_CUTS = ['pages', 'none'] as const;
/** Where template text is cut into templates. */
export type TextCut = (typeof TEXT_CUTS)[number];

/** All values of `TextCount`. */
export const TEXT_COUNTS = ['pages', 'occurrences'] as const;
/** What the frequency F counts. */
export type TextCount = (typeof TEXT_COUNTS)[number];

/** Default options. */
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

/** Returns the settings in the notation of the paper. */
export function formatTextSettings(options: TextOptions = {}): string {
  const { windowCharacters, frequency, density, samplePages } = { ...TEXT_DEFAULTS, ...options };
  return [windowCharacters, frequency, density, samplePages].join('.');
}

/** Returns the options with defaults filled in; throws a RangeError that names an invalid one. */
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

/** Returns F for a sample of `pages` pages. */
export function frequencyFor(pages: number, options: Required<TextOptions>): number {
  const { frequency, samplePages, scaleFrequency, minFrequency } = options;
  if (!scaleFrequency || pages >= samplePages) return frequency;
  return Math.min(frequency, Math.max(minFrequency, Math.ceil((frequency * pages) / samplePages)));
}
