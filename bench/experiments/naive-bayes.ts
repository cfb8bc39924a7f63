/**
 * Multinomial Naive Bayes over word counts (McCallum and Nigam 1998), the classifier in section 6.3 of
 * Chakrabarti, Kumar and Punera: a text belongs to the class under which its words, drawn independently, are
 * most likely. Linear in the words.
 */

/** A text as distinct word numbers and their counts. */
export interface WordCounts {
  words: Uint32Array;
  counts: Uint32Array;
}

/** Options of `trainNaiveBayes`. */
export interface NaiveBayesOptions {
  /** Number added to the count of every known word in every class, above 0. @default 1 */
  smoothing?: number;
  /** Whether classes have the probabilities of the training texts, or equal ones. @default 'counted' */
  priors?: 'counted' | 'equal';
}

/** A trained classifier. */
export interface NaiveBayes {
  classCount: number;
  /** Largest known word number plus one. */
  wordCount: number;
  logPriors: Float64Array;
  /** Log-likelihood of word w in class c at c · wordCount + w; NaN for words that no training text has. */
  logLikelihoods: Float64Array;
}

/** Trains on texts and their classes, numbered from 0; each class must have a text. */
export function trainNaiveBayes(
  texts: readonly WordCounts[],
  classes: ArrayLike<number>,
  { smoothing = 1, priors = 'counted' }: NaiveBayesOptions = {},
): NaiveBayes {
  if (texts.length === 0 || texts.length !== classes.length) {
    throw new RangeError(`every text must have a class: ${texts.length} texts, ${classes.length} classes`);
  }
  if (!(smoothing > 0)) throw new RangeError(`smoothing must be a number above 0, not ${smoothing}`);
  const classCount = Math.max(...Array.from(classes)) + 1;
  const wordCount = texts.reduce((most, { words }) => words.reduce((m, w) => Math.max(m, w + 1), most), 0);

  const counts = new Float64Array(classCount * wordCount);
  const isKnown = new Uint8Array(wordCount);
  const textsOf = new Float64Array(classCount);
  for (let i = 0; i < texts.length; i++) {
    textsOf[classes[i]]++;
    const base = classes[i] * wordCount;
    const text = texts[i];
    for (let k = 0; k < text.words.length; k++) {
      counts[base + text.words[k]] += text.counts[k];
      isKnown[text.words[k]] = 1;
    }
  }
  const empty = textsOf.indexOf(0);
  if (empty >= 0) throw new RangeError(`class ${empty} has no text`);

  const known = isKnown.reduce((sum, one) => sum + one, 0);
  const logLikelihoods = new Float64Array(classCount * wordCount).fill(Number.NaN);
  for (let c = 0; c < classCount; c++) {
    const base = c * wordCount;
    let total = smoothing * known;
    for (let w = 0; w < wordCount; w++) total += counts[base + w];
    const logTotal = Math.log(total);
    for (let w = 0; w < wordCount; w++) {
      if (isKnown[w]) logLikelihoods[base + w] = Math.log(counts[base + w] + smoothing) - logTotal;
    }
  }
  const logPriors = textsOf.map((count) =>
    priors === 'equal' ? -Math.log(classCount) : Math.log(count / texts.length),
  );
  return { classCount, wordCount, logPriors, logLikelihoods };
}

/** Returns the logarithm of prior times likelihood by class; words unknown from training are ignored. */
export function jointLogLikelihoods(model: NaiveBayes, { words, counts }: WordCounts): Float64Array {
  const { classCount, wordCount, logLikelihoods } = model;
  const scores = Float64Array.from(model.logPriors);
  for (let k = 0; k < words.length; k++) {
    const word = words[k];
    if (word >= wordCount || Number.isNaN(logLikelihoods[word])) continue;
    for (let c = 0; c < classCount; c++) scores[c] += counts[k] * logLikelihoods[c * wordCount + word];
  }
  return scores;
}

/** Returns the most likely class; ties go to the first. */
export function classify(model: NaiveBayes, text: WordCounts): number {
  const scores = jointLogLikelihoods(model, text);
  let best = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[best]) best = c;
  return best;
}
