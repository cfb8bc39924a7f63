/**
 * The features of a judged node, in the order of the columns. Shares are in [0, 1]. Sizes are logarithms, so
 * that the difference between 10 and 20 words weighs as much as that between 100 and 200.
 */

/** A feature of the page detector. */
export interface Feature {
  name: string;
  about: string;
  /** Whether Chakrabarti, Kumar and Punera name it (2007, section 5.2). */
  inPaper: boolean;
  /** Phrases for reasons when the value is above or below a bound; empty when the feature has none. */
  phrases: FeaturePhrase[];
}

/** A phrase that is true of a node when a feature is above or below a bound. */
interface FeaturePhrase {
  above: boolean;
  bound: number;
  phrase: string;
}

/** Phrases are written `> 0.5 mostly links`. */
type Row = [name: string, about: string, ...phrases: string[]];

const paper: Row[] = [
  ['centreX', 'distance from the centre line of the page, of half its width', '> 0.5 at the side'],
  ['centreY', 'distance from half the height, of half the height', '> 0.85 at the top or bottom'],
  ['centre', 'distance from the centre, of half the diagonal', '> 0.7 far from the centre'],
  ['marginLeft', 'distance from the left edge, of the width', '> 0.65 in the right margin'],
  ['marginRight', 'distance from the right edge, of the width', '> 0.65 in the left margin'],
  ['marginTop', 'distance from the top, of the height', '< 0.04 at the top'],
  ['marginBottom', 'distance from the bottom, of the height', '< 0.04 at the bottom'],
  ['area', 'share of the area of the page, logarithm', '< -8 small'],
  ['linksPerWord', 'links for each word', '> 0.2 many links for its words'],
  ['anchorShare', 'share of its words inside links', '> 0.5 mostly links'],
  ['anchorWords', 'words of a link on average, logarithm'],
  ['sameSite', 'share of its links that stay on the site', '> 0.8 links to its own site'],
  ['visibleShare', 'visible characters for each byte of HTML', '< 0.1 little text in much markup'],
  ['titleCover', 'share of the words of the title that it has', '< 0.01 nothing of the title'],
  ['titleDensity', 'share of its words that the title has too'],
];

const others: Row[] = [
  ['width', 'width, of the width of the page', '< 0.3 narrow'],
  ['height', 'height in windows, logarithm', '< 0.05 low'],
  ['top', 'distance from the top in windows, logarithm', '> 2.5 far down'],
  ['bottom', 'distance from the bottom in windows, logarithm'],
  ['isShown', '1 when it has any area', '< 0.5 not shown'],
  // text
  ['words', 'words, logarithm', '< 3 few words'],
  ['ownWords', 'words not in a judged node inside it, logarithm'],
  ['plainWords', 'words outside links, logarithm', '< 2 hardly a word outside links'],
  ['proseWords', 'words of blocks of at least 12 words with punctuation, logarithm', '< 1 no prose'],
  ['longestBlock', 'words outside links of its longest block, logarithm', '< 3 no long text'],
  ['wordsPerBlock', 'words of a block on average, logarithm', '< 2.5 short lines'],
  ['textShare', 'share of the words of the page'],
  ['plainShare', 'share of the words outside links of the page'],
  ['proseShare', 'share of the prose of the page', '< 0.02 apart from the main text'],
  ['commas', 'commas, colons and semicolons for each word', '< 0.01 no commas'],
  ['stops', 'stops for each word', '< 0.01 no full stops'],
  ['sentenceWords', 'words for each stop, logarithm'],
  ['digits', 'share of digits among letters and digits', '> 0.25 many digits'],
  ['signs', 'signs such as | · » © for each word', '> 0.1 signs such as | · » ©'],
  ['wordLength', 'letters of a word on average'],
  ['headingShare', 'share of its words in headings'],
  ['paragraphShare', 'share of its words directly in p', '< 0.05 no paragraphs'],
  ['images', 'images for each word and image', '> 0.3 mostly images'],
  ['controls', 'fields and buttons for each word and field', '> 0.15 fields and buttons'],
  ['pageLinks', 'share of its links that lead to the same page'],
  // order and depth
  [
    'textBefore',
    'share of the words of the page before it',
    '> 0.85 late in the page',
    '< 0.1 early in the page',
  ],
  [
    'proseBefore',
    'share of the prose of the page before it',
    '> 0.9 after the main text',
    '< 0.05 before the main text',
  ],
  ['proseAfter', 'share of the prose of the page after it'],
  ['depth', 'judged nodes above it'],
  ['stepsToProse', 'steps up to a node with half of the prose of the page', '> 3 far from the main text'],
  // surrounding nodes
  ['parentProse', 'share of the prose of the page in its parent', '< 0.1 among no prose'],
  ['parentAnchorShare', 'share of the words of its parent inside links', '> 0.5 among links'],
  ['parentShare', 'share of the words of its parent'],
  ['parentWidth', 'width of its parent, of the width of the page', '< 0.3 in a narrow column'],
  ['parentWords', 'words of its parent, logarithm'],
  ['previousWords', 'words of the judged sibling before it, logarithm'],
  ['previousAnchorShare', 'share of them inside links', '> 0.5 after links'],
  ['previousProse', 'prose of the sibling before it, logarithm'],
  ['nextWords', 'words of the judged sibling after it, logarithm'],
  ['nextAnchorShare', 'share of them inside links', '> 0.5 before links'],
  ['nextProse', 'prose of the sibling after it, logarithm'],
  ['sameShape', 'siblings of the same shape, logarithm', '> 2.3 one of many alike'],
  ['sameShapeShare', 'share of its siblings that have its shape'],
  ['siblings', 'judged siblings, logarithm'],
  // tags of the node
  ['isLink', 'a', '> 0.5 a link'],
  ['isHeading', 'h1 to h6'],
  ['isParagraph', 'p, blockquote, pre'],
  ['isItem', 'li, dt, dd', '> 0.5 a list item'],
  ['isList', 'ul, ol, dl, menu', '> 0.5 a list'],
  ['isTable', 'table and its parts'],
  // tags of the node and its ancestors
  ['inNav', 'nav', '> 0.5 in nav'],
  ['inHeader', 'header', '> 0.5 in header'],
  ['inFooter', 'footer', '> 0.5 in footer'],
  ['inAside', 'aside', '> 0.5 in aside'],
  ['inMain', 'main'],
  ['inArticle', 'article'],
  ['inForm', 'form, fieldset, select, button', '> 0.5 in a form'],
  ['inList', 'ul, ol, dl, menu', '> 0.5 in a list'],
  ['inTable', 'table'],
  ['inFigure', 'figure'],
  ['inHeading', 'h1 to h6'],
  // names given by the author
  ['ownName', 'learnt weight of its class and id', '> 0.5 its class or id'],
  ['highestName', 'largest of its own and those above', '> 0.8 a class or id around it'],
  ['lowestName', 'smallest of its own and those above'],
  ['pathName', 'sum of its own and those above', '> 1.5 classes and ids around it'],
  ['innerName', 'learnt weight of names inside it, by their words', '> 0.8 classes and ids inside it'],
  // the page
  ['pageWords', 'words of the page, logarithm'],
  ['pageAnchorShare', 'share of the words of the page inside links'],
  ['pageProseShare', 'share of the words of the page that are prose'],
  ['pageHeight', 'height of the page in windows, logarithm'],
  // added later: models identify features by their order, so new ones come last
  ['parentArea', 'share of the area of the page that its parent has, logarithm', '< -5 in a small box'],
  ['alikeShare', 'share of the words of the page in it and its siblings of the same shape'],
  ['aboveProse', 'share of the prose of the page in the parent of its parent'],
  ['previousLevel', 'words of the nearest block before it in the page, logarithm'],
  ['nextLevel', 'words of the nearest block after it in the page, logarithm'],
];

/** All features, the paper's first. */
export const FEATURES: readonly Feature[] = [
  ...paper.map((row) => toFeature(row, true)),
  ...others.map((row) => toFeature(row, false)),
];

/**
 * Sets of features to train with. The paper's features come first, so a set is the first columns of a row.
 */
export const FEATURE_SETS = ['all', 'paper'] as const;
/** Name of a set of features. */
export type FeatureSet = (typeof FEATURE_SETS)[number];

/** Returns the features of a set, in the order of the columns. */
export function featuresOf(set: FeatureSet): readonly Feature[] {
  return set === 'paper' ? FEATURES.slice(0, paper.length) : FEATURES;
}

/** Column of each feature, by its name. */
export const FEATURE_COLUMN: Readonly<Record<string, number>> = Object.fromEntries(
  FEATURES.map(({ name }, column) => [name, column]),
);

function toFeature([name, about, ...written]: Row, inPaper: boolean): Feature {
  const phrases = written.map((text) => {
    const [sign, bound, ...words] = text.split(' ');
    return { above: sign === '>', bound: Number(bound), phrase: words.join(' ') };
  });
  return { name, about, inPaper, phrases };
}

/** Which nodes are judged: blocks, or all nodes as in the paper; see kernel/assembly/judged-nodes.ts. */
export const NODE_CHOICES = ['blocks', 'all'] as const;
/** Name of a choice of judged nodes. */
export type NodeChoice = (typeof NODE_CHOICES)[number];

/**
 * The judged nodes of a page and their features. Nodes too small to be judged are hidden in their nearest
 * judged ancestor and add to its weight (Chakrabarti, Kumar and Punera 2007, section 5.3). So the rows are a
 * tree of their own, in which a parent comes before its children.
 *
 * The columns belong to the thread's scratch memory. They are overwritten by the next page, and replaced when
 * the kernel's memory grows, so always read them through the table.
 */
export interface FeatureTable {
  rowCount: number;
  /** Number of features in a row of `values`. */
  width: number;
  /** Node of each row, in document order; row 0 is the document. */
  node: Int32Array;
  /** Row of the nearest judged ancestor; -1 for row 0. */
  parent: Int32Array;
  /** One plus the number of nodes hidden in the row. */
  weight: Float32Array;
  /** Area in square pixels. */
  area: Float32Array;
  /** `width` features per row, in the order of FEATURES. */
  values: Float32Array;
}
