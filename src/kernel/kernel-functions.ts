/**
 * The functions that `assembly/index.ts` exports, with types for the host. Addresses and sizes are in bytes.
 */
export interface KernelFunctions {
  /** Hashes the bytes between two addresses; results 0 and 1 are the low and high lane. */
  hashBytes(start: number, end: number): void;
  /**
   * Parses the page with this header, whose source is filled; returns 0 if it has more than `maxNodes` nodes.
   */
  parse(header: number, maxNodes: number, maxDepth: number, exact: number): number;
  /**
   * Renders the visible text of a page; see assembly/render-text.ts. Returns 0, or the address of an unknown
   * reference.
   */
  renderText(
    page: number,
    ranges: number,
    tables: number,
    out: number,
    mode: number,
    replacements: number,
    events: number,
    resumed: number,
  ): number;
  /** Whether readers do not see an element, by its own attributes; see assembly/unseen-elements.ts. */
  isUnseen(page: number, node: number): number;
  /** Writes the sum of all leaves for each of `count` rows; see assembly/score-trees.ts. */
  scoreTrees(model: number, rows: number, offsets: number, count: number, sums: number): void;

  /** Begins to inflate a deflate stream from `input` to `output`. */
  beginInflate(input: number, output: number): void;
  /**
   * Inflates as far as input and output reach; results 0 and 1 are the ends of the used input and of the
   * output.
   */
  inflate(inputEnd: number, isWhole: boolean, outputStart: number, outputLimit: number): number;
  /**
   * Informs the kernel by how many bytes the host has moved the rest of the input and the end of the output.
   */
  moveInflate(inputBy: number, outputBy: number): void;

  /** These write integers in Parquet's encodings, and return the address after the last byte. */
  packGroups(from: number, to: number, width: number, output: number): number;
  packRuns(numbers: number, count: number, width: number, output: number): number;
  packDeltas(numbers: number, count: number, output: number): number;
  /** Finds the smallest and the largest of the numbers: results 0 and 1. */
  findBounds(numbers: number, count: number): void;
  /** Returns the address after the static data. */
  staticEnd(): number;
  // hash tables; see assembly/keys.ts
  moveCounted(buckets: number, bucketCount: number, counter: number): void;
  selectCounted(counter: number, word: number, least: number, keys: number): number;
  readCounted(counter: number, keys: number, count: number, columns: number): void;
  fillIndex(index: number, lows: number, highs: number, count: number): void;
  // the dom detector; see assembly/dom-learn.ts, dom-find.ts
  sketchNodes(page: number, number: number, sketch: number): void;
  countNodes(page: number, number: number, sketch: number, counter: number): void;
  countPositions(
    scratch: number,
    page: number,
    number: number,
    index: number,
    counter: number,
    records: number,
    lines: number,
  ): void;
  selectLinePositions(counter: number, thresholdPages: number, filter: number): number;
  countLinePositions(lines: number, count: number, number: number, filter: number, counter: number): void;
  keepStable(
    counter: number,
    thresholdPages: number,
    lineCounter: number,
    lows: number,
    highs: number,
    stable: number,
    kept: number,
  ): void;
  markInside(page: number, records: number, count: number, index: number, stable: number): void;
  keepContexts(
    page: number,
    records: number,
    count: number,
    counter: number,
    thresholdPages: number,
    index: number,
    frequentLows: number,
    frequentHighs: number,
    stable: number,
    kept: number,
  ): void;
  findDomSpans(scratch: number, page: number, model: number): number;

  /** Hashes text in the way of template ids; results 0 and 1 are the low and high lane. */
  hashText(start: number, end: number): void;
  // text windows; see assembly/windows.ts, candidate-spans.ts and known-texts.ts
  openRoll(roll: number, from: number, end: number): void;
  listWindows(roll: number, text: number, most: number, list: number): number;
  listFragments(roll: number, text: number, index: number, pages: number, most: number, list: number): number;
  countTextWindows(
    roll: number,
    number: number,
    sketch: number,
    counter: number,
    occurrences: number,
    part: number,
    partBits: number,
    most: number,
  ): number;
  numberWindows(numbers: number, roll: number, from: number, end: number, text: number): void;
  refillNumbers(numbers: number): void;
  selectNumbered(numbers: number, minTexts: number, keys: number): number;
  readNumbered(numbers: number, keys: number, count: number, columns: number): void;
  countGrams(text: number, end: number, number: number, buckets: number, shift: number, isWide: number): void;
  cutSpans(
    text: number,
    end: number,
    buckets: number,
    shift: number,
    isWide: number,
    width: number,
    enough: number,
    spans: number,
  ): number;
  joinSpans(spans: number, count: number, out: number, starts: number): void;
  addKnownText(known: number, roll: number, from: number, end: number): void;
  fillKnownBuckets(known: number, lows: number, count: number): number;
  openSearch(known: number, text: number): void;
  findFragments(known: number, roll: number, text: number, end: number, list: number): number;

  /**
   * Writes the features of a page's judged nodes and returns their number; see assembly/feature-values.ts.
   */
  makeFeatures(
    features: number,
    page: number,
    pageWidth: number,
    pageHeight: number,
    leastArea: number,
    allNodes: boolean,
  ): number;
  /**
   * Weighs the names of a start tag; results 0 to 5 are the sum, the largest and the smallest weight, as f64.
   */
  weighNames(weights: number, start: number, end: number): void;

  /** Writes the widths of a page's texts, two f64 by node; see assembly/text-width.ts. */
  measureTexts(tables: number, page: number, widths: number): void;

  // text and source; see assembly/locate-text.ts
  sourceOffset(page: number, position: number, isEnd: boolean): number;
  textPosition(page: number, target: number, node: number, offset: number, position: number): number;
  countTemplateLinks(page: number, ranges: number, count: number, byTag: number): number;

  // blocks of the joint detector; see assembly/find-blocks.ts, block-features.ts, describe-elements.ts,
  // read-names.ts
  findBlocks(blocks: number, page: number): number;
  makeBlockFeatures(blocks: number, page: number): void;
  // evidence of a site; see assembly/count-evidence.ts and evidence-features.ts
  countSitePage(site: number, blocks: number, page: number, number: number): void;
  indexEntries(site: number): void;
  finishSite(site: number): void;
  addEvidence(site: number, blocks: number, page: number, own: number): void;
  // layout groups and scores; see assembly/layout-group.ts, describe-site.ts and block-context.ts
  listEntries(site: number, blocks: number, slots: number, pairs: number): void;
  countGroupPairs(site: number, pairs: number, count: number, group: number, page: number): void;
  describeSite(site: number, blocks: number, isForum: boolean): void;
  countScores(site: number, blocks: number, scores: number): void;
  addContext(site: number, blocks: number, page: number, scores: number): void;
  listNameBuckets(blocks: number, page: number, leaf: number, out: number, most: number): number;
}
