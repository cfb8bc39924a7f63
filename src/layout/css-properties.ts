/** The properties that decide where things stand, and the words that are values of theirs. */
import { hashName } from '../parse/hashes.ts';
import { BLOCK, CELL, FLEX, GRID, INLINE, INLINE_BLOCK, NONE, ROW, ROW_GROUP, TABLE } from './tag-styles.ts';

export const PROPERTY = {
  fontSize: 0,
  lineHeight: 1,
  display: 2,
  float: 3,
  clear: 4,
  position: 5,
  visibility: 6,
  width: 7,
  height: 8,
  maxWidth: 9,
  minWidth: 10,
  minHeight: 11,
  marginTop: 12,
  marginRight: 13,
  marginBottom: 14,
  marginLeft: 15,
  paddingTop: 16,
  paddingRight: 17,
  paddingBottom: 18,
  paddingLeft: 19,
  top: 20,
  right: 21,
  bottom: 22,
  left: 23,
  textAlign: 24,
  whiteSpace: 25,
  overflow: 26,
  boxSizing: 27,
  flexDirection: 28,
  flexWrap: 29,
  flexGrow: 30,
  flexBasis: 31,
  justifyContent: 32,
  alignItems: 33,
  gap: 34,
  gridColumns: 35,
  gridSpan: 36,
  fontFace: 37,
  verticalAlign: 38,
  /** Not a property: a `clear` on what comes after the content, which makes the element hold its floats. */
  holdsFloats: 39,
} as const;

export const PROPERTY_COUNT = 40;

/** How the value of a property is read. */
export type ValueKind =
  | 'length'
  | 'word'
  | 'number'
  | 'sides'
  | 'pair'
  | 'flex'
  | 'font'
  | 'tracks'
  | 'span'
  | 'face'
  | 'flow';

export interface PropertyEntry {
  kind: ValueKind;
  property: number;
  /** Values of a word by its hash. */
  words?: Map<number, number>;
}

/** Properties by the hash of their name. */
export const PROPERTIES = new Map<number, PropertyEntry>();

const DISPLAY = {
  none: NONE,
  inline: INLINE,
  contents: INLINE,
  block: BLOCK,
  'list-item': BLOCK,
  'flow-root': BLOCK,
  '-webkit-box': BLOCK,
  'table-caption': BLOCK,
  'inline-block': INLINE_BLOCK,
  'inline-flex': INLINE_BLOCK,
  'inline-grid': INLINE_BLOCK,
  'inline-table': INLINE_BLOCK,
  table: TABLE,
  'table-row-group': ROW_GROUP,
  'table-header-group': ROW_GROUP,
  'table-footer-group': ROW_GROUP,
  'table-row': ROW,
  'table-cell': CELL,
  flex: FLEX,
  '-webkit-flex': FLEX,
  grid: GRID,
};

add('length', 'width height max-width min-width min-height top right bottom left');
add('length', 'margin-top margin-right margin-bottom margin-left');
add('length', 'padding-top padding-right padding-bottom padding-left');
add('length', 'flex-basis');
add('number', 'flex-grow');
for (const [name, property] of [
  ['margin', PROPERTY.marginTop],
  ['padding', PROPERTY.paddingTop],
  ['inset', PROPERTY.top],
] as const) {
  PROPERTIES.set(hashName(name), { kind: 'sides', property });
}
set('margin-inline', 'pair', PROPERTY.marginLeft);
set('padding-inline', 'pair', PROPERTY.paddingLeft);
set('gap', 'length', PROPERTY.gap);
set('column-gap', 'length', PROPERTY.gap);
set('grid-gap', 'length', PROPERTY.gap);
set('flex', 'flex', PROPERTY.flexGrow);
set('flex-flow', 'flow', PROPERTY.flexDirection);
set('font', 'font', PROPERTY.fontSize);
set('font-family', 'face', PROPERTY.fontFace);
set('grid-template-columns', 'tracks', PROPERTY.gridColumns);
set('grid-column', 'span', PROPERTY.gridSpan);
words('display', PROPERTY.display, DISPLAY);
words('float', PROPERTY.float, { none: 0, left: 1, right: 2, 'inline-start': 1, 'inline-end': 2 });
words('clear', PROPERTY.clear, { none: 0, left: 1, right: 2, both: 3 });
words('position', PROPERTY.position, {
  static: 0,
  absolute: 1,
  fixed: 2,
  relative: 3,
  sticky: 3,
  '-webkit-sticky': 3,
});
words('visibility', PROPERTY.visibility, { visible: 0, hidden: 1, collapse: 1 });
words('text-align', PROPERTY.textAlign, {
  left: 0,
  start: 0,
  justify: 0,
  center: 1,
  '-webkit-center': 1,
  right: 2,
  end: 2,
});
words('white-space', PROPERTY.whiteSpace, { normal: 0, nowrap: 1, pre: 2, 'pre-wrap': 0, 'pre-line': 0 });
words('overflow', PROPERTY.overflow, { visible: 0, hidden: 1, auto: 1, scroll: 1, clip: 0 });
words('overflow-x', PROPERTY.overflow, { visible: 0, hidden: 1, auto: 1, scroll: 1 });
words('box-sizing', PROPERTY.boxSizing, { 'content-box': 0, 'border-box': 1, inherit: 2 });
words('flex-direction', PROPERTY.flexDirection, { row: 0, 'row-reverse': 2, column: 1, 'column-reverse': 1 });
words('flex-wrap', PROPERTY.flexWrap, { nowrap: 0, wrap: 1, 'wrap-reverse': 1 });
words('justify-content', PROPERTY.justifyContent, {
  'flex-start': 0,
  start: 0,
  center: 1,
  'flex-end': 2,
  end: 2,
  'space-between': 3,
  'space-around': 4,
  'space-evenly': 4,
});
words('align-items', PROPERTY.alignItems, {
  stretch: 0,
  normal: 0,
  'flex-start': 1,
  start: 1,
  center: 2,
  'flex-end': 3,
  end: 3,
  baseline: 1,
});
words('vertical-align', PROPERTY.verticalAlign, { top: 1, middle: 0, bottom: 1, baseline: 1 });

function add(kind: ValueKind, names: string): void {
  for (const name of names.split(' ')) {
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    set(name, kind, PROPERTY[camel as keyof typeof PROPERTY]);
  }
}

function set(name: string, kind: ValueKind, property: number): void {
  PROPERTIES.set(hashName(name), { kind, property });
}

function words(name: string, property: number, values: Record<string, number>): void {
  const table = new Map(Object.entries(values).map(([word, value]) => [hashName(word), value]));
  PROPERTIES.set(hashName(name), { kind: 'word', property, words: table });
}

// font-size is a length, or a word: sizes by their name
const FONT_WORDS = new Map(
  Object.entries({
    'xx-small': 9,
    'x-small': 10,
    small: 13,
    medium: 16,
    large: 18,
    'x-large': 24,
    'xx-large': 32,
  }).map(([word, value]) => [hashName(word), value]),
);
PROPERTIES.set(hashName('font-size'), { kind: 'length', property: PROPERTY.fontSize, words: FONT_WORDS });
PROPERTIES.set(hashName('line-height'), { kind: 'length', property: PROPERTY.lineHeight });
