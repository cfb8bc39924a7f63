/** What the declarations that hold for an element say, written to its columns. */
import { TAG } from '../parse/tag-names.ts';
import type { CssMatch } from './css-match.ts';
import { PROPERTY } from './css-properties.ts';
import { toLength } from './css-values.ts';
import { AUTO, fixedPixels, pixels, resolveOr } from './lengths.ts';
import { MAX_FONT, RELATIVE, type StyleColumns } from './style-columns.ts';
import { INLINE, tagMarginEm } from './tag-styles.ts';

const MAX_LINE = 10;

/** `tracks` holds the columns of grids that a value of `gridColumns` points to. */
export function setByCss(
  c: StyleColumns,
  match: CssMatch,
  node: number,
  tag: number,
  parent: number,
  rootFont: number,
  tracks: number[],
): void {
  const { value, setFor, touched, touchedCount } = match;
  if (setFor[PROPERTY.fontSize] === node) setFont(c, node, tag, parent, rootFont, value[PROPERTY.fontSize]);
  const font = c.font[node];
  if (setFor[PROPERTY.position] === node) {
    c.position[node] = value[PROPERTY.position];
    c.insetTop[node] = c.insetRight[node] = c.insetBottom[node] = c.insetLeft[node] = Number.NaN;
  }
  for (let k = 0; k < touchedCount; k++) {
    const property = touched[k];
    const v = value[property];
    const length = toLength(v, font, rootFont);
    switch (property) {
      case PROPERTY.lineHeight: {
        const height = resolveOr(length, font, font);
        c.lineFactor[node] = font > 0 ? Math.min(MAX_LINE, Math.max(0, height / font)) : 1;
        break;
      }
      case PROPERTY.display:
        if (tag !== TAG.br && c.display[node] !== 0) c.display[node] = v;
        break;
      case PROPERTY.float:
        c.float[node] = v;
        break;
      case PROPERTY.clear:
        c.clear[node] = v;
        break;
      case PROPERTY.visibility:
        c.isInvisible[node] = v;
        break;
      case PROPERTY.width:
        // what is a picture keeps the size of its attributes
        if (length !== AUTO || c.isAtomic[node] === 0) c.width[node] = length;
        break;
      case PROPERTY.height:
        if (length !== AUTO || c.isAtomic[node] === 0) c.height[node] = length;
        break;
      case PROPERTY.maxWidth:
        c.maxWidth[node] = length;
        break;
      case PROPERTY.minWidth:
        c.minWidth[node] = length;
        break;
      case PROPERTY.minHeight:
        c.minHeight[node] = fixedPixels(length) || 0;
        break;
      case PROPERTY.marginTop:
        c.marginTop[node] = length;
        break;
      case PROPERTY.marginRight:
        c.marginRight[node] = length;
        break;
      case PROPERTY.marginBottom:
        c.marginBottom[node] = length;
        break;
      case PROPERTY.marginLeft:
        c.marginLeft[node] = length;
        break;
      case PROPERTY.paddingTop:
        c.paddingTop[node] = paddingOf(length);
        break;
      case PROPERTY.paddingRight:
        c.paddingRight[node] = paddingOf(length);
        break;
      case PROPERTY.paddingBottom:
        c.paddingBottom[node] = paddingOf(length);
        break;
      case PROPERTY.paddingLeft:
        c.paddingLeft[node] = paddingOf(length);
        break;
      case PROPERTY.top:
        if (c.position[node] !== 0) c.insetTop[node] = length;
        break;
      case PROPERTY.right:
        if (c.position[node] !== 0) c.insetRight[node] = length;
        break;
      case PROPERTY.bottom:
        if (c.position[node] !== 0) c.insetBottom[node] = length;
        break;
      case PROPERTY.left:
        if (c.position[node] !== 0) c.insetLeft[node] = length;
        break;
      case PROPERTY.textAlign:
        c.align[node] = v;
        c.alignsBlocks[node] = 0;
        break;
      case PROPERTY.whiteSpace:
        c.isNowrap[node] = v === 0 ? 0 : 1;
        c.isPre[node] = v === 2 ? 1 : 0;
        break;
      case PROPERTY.overflow:
        if (v === 1) c.holdsFloats[node] = 1;
        break;
      case PROPERTY.holdsFloats:
        c.holdsFloats[node] = 1;
        break;
      case PROPERTY.boxSizing:
        c.isBorderBox[node] = v === 2 ? c.isBorderBox[parent] : v;
        break;
      case PROPERTY.flexDirection:
        c.isColumn[node] = v === 1 ? 1 : 0;
        break;
      case PROPERTY.flexWrap:
        c.isWrapping[node] = v;
        break;
      case PROPERTY.flexGrow:
        c.grow[node] = Math.max(0, v);
        break;
      case PROPERTY.flexBasis:
        c.basis[node] = length;
        break;
      case PROPERTY.justifyContent:
        c.justify[node] = v;
        break;
      case PROPERTY.alignItems:
        c.alignItems[node] = v;
        break;
      case PROPERTY.gap:
        c.gap[node] = Math.max(0, fixedPixels(length) || 0);
        break;
      case PROPERTY.gridSpan:
        c.gridSpan[node] = Math.min(64, Math.max(1, v));
        break;
      case PROPERTY.gridColumns:
        c.gridColumns[node] = c.tracks.length;
        for (let t = v; t <= v + tracks[v]; t++) {
          c.tracks.push(t === v ? tracks[t] : toLength(tracks[t], font, rootFont));
        }
        break;
      case PROPERTY.fontFace:
        c.face[node] = v;
        break;
      case PROPERTY.verticalAlign:
        c.isTop[node] = v;
        break;
    }
  }
  addPadding(c, node, setFor);
  if (c.position[node] === RELATIVE && c.display[node] === INLINE) c.position[node] = 0;
}

function setFont(
  c: StyleColumns,
  node: number,
  tag: number,
  parent: number,
  rootFont: number,
  value: number,
): void {
  const inherited = c.font[parent];
  const font = resolveOr(toLength(value, inherited, rootFont), inherited, inherited);
  c.font[node] = Math.min(MAX_FONT, Math.max(0, font));
  // margins in em go with the font
  if (tagMarginEm[tag] > 0 && c.marginTop[node] > 0) {
    c.marginTop[node] = c.marginBottom[node] = tagMarginEm[tag] * c.font[node];
  }
}

/** Width and height as CSS gives them are without the padding unless the element says otherwise. */
function addPadding(c: StyleColumns, node: number, setFor: Int32Array): void {
  if (c.isBorderBox[node] === 1) return;
  const x = c.paddingLeft[node] + c.paddingRight[node];
  const y = c.paddingTop[node] + c.paddingBottom[node];
  if (setFor[PROPERTY.width] === node && fixedPixels(c.width[node]) >= 0)
    c.width[node] = pixels(c.width[node] + x);
  if (setFor[PROPERTY.maxWidth] === node && fixedPixels(c.maxWidth[node]) >= 0) {
    c.maxWidth[node] = pixels(c.maxWidth[node] + x);
  }
  if (setFor[PROPERTY.height] === node && fixedPixels(c.height[node]) >= 0)
    c.height[node] = pixels(c.height[node] + y);
}

function paddingOf(length: number): number {
  if (length >= AUTO) return 0;
  return Math.max(0, resolveOr(length, PADDING_BASE, 0));
}

/** Paddings in per cent are rare; they are taken of this width, px. */
const PADDING_BASE = 600;
