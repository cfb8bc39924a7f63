/**
 * What is known of a judged node, in the order of the columns. Shares lie in [0, 1]; sizes are logarithms, so
 * that the difference between 10 and 20 words weighs as much as that between 100 and 200.
 */

export interface Feature {
  name: string;
  about: string;
  /** Whether Chakrabarti, Kumar and Punera name it (2007, section 5.2). */
  inPaper: boolean;
  /** What a high and a low value says to a person, where it says anything. */
  high?: string;
  low?: string;
}

type Row = [name: string, about: string, high?: string, low?: string];

const paper: Row[] = [
  ['centreX', 'distance from the centre line of the page, of half its width', 'at the side'],
  ['centreY', 'distance from half the height, of half the height', 'at the top or bottom'],
  ['centre', 'distance from the centre, of half the diagonal', 'far from the centre'],
  ['marginLeft', 'distance from the left edge, of the width', undefined, 'at the left edge'],
  ['marginRight', 'distance from the right edge, of the width', undefined, 'at the right edge'],
  ['marginTop', 'distance from the top, of the height', undefined, 'at the top'],
  ['marginBottom', 'distance from the bottom, of the height', undefined, 'at the bottom'],
  ['area', 'share of the area of the page, logarithm', undefined, 'small'],
  ['linksPerWord', 'links for each word', 'many links for its words'],
  ['anchorShare', 'share of its words inside links', 'mostly links'],
  ['anchorWords', 'words of a link on average, logarithm'],
  ['sameSite', 'share of its links that stay on the site', 'links to its own site'],
  ['visibleShare', 'visible characters for each byte of HTML', undefined, 'little text in much markup'],
  ['titleCover', 'share of the words of the title that it has', undefined, 'nothing of the title'],
  ['titleDensity', 'share of its words that the title has too'],
];

const others: Row[] = [
  ['width', 'width, of the width of the page', undefined, 'narrow'],
  ['height', 'height in windows, logarithm', undefined, 'low'],
  ['top', 'distance from the top in windows, logarithm', 'far down'],
  ['bottom', 'distance from the bottom in windows, logarithm'],
  ['isShown', '1 when it has any area', undefined, 'not shown'],
  // text
  ['words', 'words, logarithm', undefined, 'few words'],
  ['ownWords', 'words not in a judged node inside it, logarithm'],
  ['plainWords', 'words outside links, logarithm', undefined, 'few words outside links'],
  ['proseWords', 'words of blocks of at least 12 words with punctuation, logarithm', undefined, 'no prose'],
  ['longestBlock', 'words outside links of its longest block, logarithm', undefined, 'no long text'],
  ['wordsPerBlock', 'words of a block on average, logarithm', undefined, 'short lines'],
  ['textShare', 'share of the words of the page'],
  ['plainShare', 'share of the words outside links of the page'],
  ['proseShare', 'share of the prose of the page', undefined, 'apart from the prose'],
  ['commas', 'commas, colons and semicolons for each word', undefined, 'no commas'],
  ['stops', 'stops for each word', undefined, 'no full stops'],
  ['sentenceWords', 'words for each stop, logarithm'],
  ['digits', 'share of digits among letters and digits', 'many digits'],
  ['signs', 'signs such as | · » © for each word', 'signs such as | · » ©'],
  ['wordLength', 'letters of a word on average'],
  ['headingShare', 'share of its words in headings'],
  ['paragraphShare', 'share of its words directly in p', undefined, 'no paragraphs'],
  ['images', 'images for each word and image', 'mostly images'],
  ['controls', 'fields and buttons for each word and field', 'fields and buttons'],
  ['pageLinks', 'share of its links that lead to the same page'],
  // order and depth
  ['textBefore', 'share of the words of the page before it', 'late in the page', 'early in the page'],
  ['proseBefore', 'share of the prose of the page before it', 'after the prose', 'before the prose'],
  ['proseAfter', 'share of the prose of the page after it'],
  ['depth', 'judged nodes above it'],
  ['stepsToProse', 'steps up to a node with half of the prose of the page', 'far from the main text'],
  // the nodes around
  ['parentProse', 'share of the prose of the page in its parent', undefined, 'among no prose'],
  ['parentAnchorShare', 'share of the words of its parent inside links', 'among links'],
  ['parentShare', 'share of the words of its parent'],
  ['parentWidth', 'width of its parent, of the width of the page', undefined, 'in a narrow column'],
  ['parentWords', 'words of its parent, logarithm'],
  ['previousWords', 'words of the judged sibling before it, logarithm'],
  ['previousAnchorShare', 'share of them inside links', 'next to links'],
  ['previousProse', 'prose of the sibling before it, logarithm'],
  ['nextWords', 'words of the judged sibling after it, logarithm'],
  ['nextAnchorShare', 'share of them inside links', 'next to links'],
  ['nextProse', 'prose of the sibling after it, logarithm'],
  ['sameShape', 'siblings of the same shape, logarithm', 'one of many alike'],
  ['sameShapeShare', 'share of its siblings that have its shape'],
  ['siblings', 'judged siblings, logarithm'],
  // tags of itself
  ['isLink', 'a'],
  ['isHeading', 'h1 to h6'],
  ['isParagraph', 'p, blockquote, pre'],
  ['isItem', 'li, dt, dd', 'a list item'],
  ['isList', 'ul, ol, dl, menu', 'a list'],
  ['isTable', 'table and its parts'],
  // tags of itself and of those above
  ['inNav', 'nav', 'in nav'],
  ['inHeader', 'header', 'in header'],
  ['inFooter', 'footer', 'in footer'],
  ['inAside', 'aside', 'in aside'],
  ['inMain', 'main'],
  ['inArticle', 'article'],
  ['inForm', 'form, fieldset, select, button', 'in a form'],
  ['inList', 'ul, ol, dl, menu', 'in a list'],
  ['inTable', 'table'],
  ['inFigure', 'figure'],
  ['inHeading', 'h1 to h6'],
  // names given by the author
  ['ownName', 'learnt weight of its class and id', 'its class or id'],
  ['highestName', 'largest of its own and those above', 'a class or id around it'],
  ['lowestName', 'smallest of its own and those above'],
  ['pathName', 'sum of its own and those above', 'classes and ids around it'],
  ['innerName', 'learnt weight of names inside it, by their words', 'classes and ids inside it'],
  // the page
  ['pageWords', 'words of the page, logarithm'],
  ['pageAnchorShare', 'share of the words of the page inside links'],
  ['pageProseShare', 'share of the words of the page that are prose'],
  ['pageHeight', 'height of the page in windows, logarithm'],
];

export const FEATURES: readonly Feature[] = [
  ...paper.map((row) => toFeature(row, true)),
  ...others.map((row) => toFeature(row, false)),
];

/** Column of each feature by its name. */
export const FEATURE_COLUMN: Readonly<Record<string, number>> = Object.fromEntries(
  FEATURES.map(({ name }, column) => [name, column]),
);

function toFeature([name, about, high, low]: Row, inPaper: boolean): Feature {
  return { name, about, inPaper, ...(high ? { high } : {}), ...(low ? { low } : {}) };
}
