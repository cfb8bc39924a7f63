/** Tags in groups that have the same rules in the body, the common ones first. */
import { tagsOf } from './tag-names.ts';

export const OTHER = 0;
export const BLOCKS = 1;
export const FORMATTING = 2;
export const ANCHOR = 3;
export const ITEMS = 4;
export const VOIDS = 5;
export const HEADINGS = 6;
export const HEAD_CONTENT = 7;
export const TABLE = 8;
export const RULE = 9;
export const INPUT = 10;
export const OPTIONS = 11;
export const PREFORMATTED = 12;
export const FORM = 13;
export const BUTTON = 14;
export const SELECT = 15;
export const TEXTAREA = 16;
export const RAW = 17;
export const OBJECTS = 18;
export const SOURCES = 19;
export const RUBY_BASE = 20;
export const RUBY_TEXT = 21;
export const NOBR = 22;
export const FOREIGN_ROOT = 23;
export const HTML = 24;
export const BODY = 25;
export const FRAMESET = 26;
const IGNORED = 27;
export const IMAGE = 28;
export const PARAGRAPH = 29;
export const LIST_ITEM = 30;
export const BREAK = 31;

/** Group of a start tag, by tag. */
export const startGroup = groups({
  [BLOCKS]:
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer ' +
    'header hgroup main menu nav ol p search section summary ul',
  [FORMATTING]: 'b big code em font i s small strike strong tt u',
  [ANCHOR]: 'a',
  [ITEMS]: 'li dd dt',
  [VOIDS]: 'area br embed img keygen wbr',
  [HEADINGS]: 'h1 h2 h3 h4 h5 h6',
  [HEAD_CONTENT]: 'base basefont bgsound link meta script style template title',
  [TABLE]: 'table',
  [RULE]: 'hr',
  [INPUT]: 'input',
  [OPTIONS]: 'option optgroup',
  [PREFORMATTED]: 'pre listing',
  [FORM]: 'form',
  [BUTTON]: 'button',
  [SELECT]: 'select',
  [TEXTAREA]: 'textarea',
  [RAW]: 'iframe noembed noframes xmp plaintext',
  [OBJECTS]: 'applet marquee object',
  [SOURCES]: 'param source track',
  [RUBY_BASE]: 'rb rtc',
  [RUBY_TEXT]: 'rp rt',
  [NOBR]: 'nobr',
  [FOREIGN_ROOT]: 'svg math',
  [HTML]: 'html',
  [BODY]: 'body',
  [FRAMESET]: 'frameset',
  [IGNORED]: 'caption col colgroup frame head tbody td tfoot th thead tr',
  [IMAGE]: 'image',
});

/** Group of an end tag, by tag. */
export const endGroup = groups({
  [BLOCKS]:
    'address article aside blockquote button center details dialog dir div dl fieldset figcaption figure ' +
    'footer header hgroup listing main menu nav ol pre search section summary ul',
  [FORMATTING]: 'a b big code em font i nobr s small strike strong tt u',
  [PARAGRAPH]: 'p',
  [LIST_ITEM]: 'li',
  [ITEMS]: 'dd dt',
  [HEADINGS]: 'h1 h2 h3 h4 h5 h6',
  [BREAK]: 'br',
  [FORM]: 'form',
  [OBJECTS]: 'applet marquee object',
  [BODY]: 'body',
  [HTML]: 'html',
  [HEAD_CONTENT]: 'template',
});

function groups(names: Record<number, string>): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const [group, list] of Object.entries(names))
    for (const tag of tagsOf(list)) table[tag] = Number(group);
  return table;
}
