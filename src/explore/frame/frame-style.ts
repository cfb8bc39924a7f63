/**
 * Colours of the pieces of a framed page. Labels differ in hue and in the line below the text, so that they can be
 * distinguished without colour. Otherwise the page keeps its own colours.
 */

/** Colour (red, green, blue) and line style of each class of pieces. */
const TINTS: Readonly<Record<string, [rgb: string, line: string]>> = {
  template: ['230, 126, 34', 'dashed'],
  slot: ['128, 90, 213', 'dotted'],
  content: ['39, 138, 77', 'none'],
  unsure: ['120, 120, 120', 'wavy'],
  comment: ['20, 120, 190', 'double'],
  unmarked: ['140, 140, 140', 'none'],
};

const TINT_RULES = Object.entries(TINTS)
  .map(
    ([tint, [rgb, line]]) =>
      `.chaff-t.chaff-${tint}{background-color:rgba(${rgb},${tint === 'content' ? 0.12 : 0.24})!important;` +
      `${line === 'none' ? '' : `text-decoration:underline ${line} rgb(${rgb})!important;`}}` +
      `[data-chaff-box=${tint}]{box-shadow:inset 0 0 0 100vmax rgba(${rgb},${tint === 'content' ? 0 : 0.08})!important}` +
      `img[data-chaff-box=${tint}]{outline:2px solid rgba(${rgb},.8)!important;outline-offset:-2px}`,
  )
  .join('\n');

/** Style sheet that is added to each framed page. */
export const FRAME_STYLE = `
html{background-color:#fff;color-scheme:light}
a.chaff-a{all:unset!important;cursor:pointer!important}
${TINT_RULES}
.chaff-t:hover,.chaff-t:target{outline:2px solid #1a5fb4!important;outline-offset:1px}
:target{outline:3px solid #1a5fb4!important;outline-offset:2px;scroll-margin:35vh 0}
.chaff-t[data-chaff]:hover::after,.chaff-t[data-chaff]:target::after{content:attr(data-chaff);all:initial;position:fixed;
left:0;right:0;bottom:0;z-index:2147483647;padding:6px 12px;background:#1c1c1e;color:#fff;
font:13px/1.4 system-ui,sans-serif;pointer-events:none;white-space:pre-wrap;content:attr(data-chaff)}
chaff-gone{display:inline-block;min-width:60px;min-height:20px;padding:2px 6px;border:1px dashed #888;background:#f2f2f2;
color:#444;font:12px system-ui,sans-serif;overflow:hidden;box-sizing:border-box}
`;
