/**
 * Converts an inline SVG to an image: `<img>` with a data URL. Browsers run no scripts and fetch nothing in an
 * image; in addition, only shapes, gradients, texts and their styles are written.
 */
import { scanAttributes } from '../../parse/attributes.ts';
import { decodeAttribute, decodeReferences } from '../../parse/character-references.ts';
import { tagName } from '../../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';
import { escapeHtml } from '../../view/escape-html.ts';
import { sliceText } from '../../view/walk.ts';

/** Names with the capitals of XML, by their lower case. */
const ELEMENTS = new Map(
  `svg g path rect circle ellipse line polyline polygon text tspan defs symbol use title clipPath linearGradient
   radialGradient stop mask pattern`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);
const ATTRIBUTES = new Map(
  `id d x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height points viewBox preserveAspectRatio transform fill stroke
   opacity offset fill-rule clip-rule clip-path mask fill-opacity stroke-width stroke-linecap stroke-linejoin stroke-opacity
   stroke-dasharray stroke-miterlimit stop-color stop-opacity font-size font-family font-weight text-anchor gradientUnits
   gradientTransform patternUnits spreadMethod href xlink:href`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);
const MAX_NODES = 5000;
const MAX_CHARACTERS = 200_000;

/** Returns an `<img>`; '' when there is nothing to show, or too much. */
export function svgImage(tree: Tree, svg: number): string {
  const { kind, last, start, openEnd, end, source } = tree;
  if (last[svg] - svg > MAX_NODES || end[svg] - start[svg] > MAX_CHARACTERS) return '';
  const out: string[] = [];
  const open: { name: string; last: number }[] = [];
  const own: Record<string, string> = {};
  for (let node = svg; node < last[svg]; ) {
    while (open.length > 0 && open[open.length - 1].last <= node) out.push(`</${open.pop()!.name}>`);
    if (kind[node] === TEXT)
      out.push(escapeHtml(decodeReferences(sliceText(source, start[node], end[node]))));
    if (kind[node] !== ELEMENT) {
      node++;
      continue;
    }
    const name = ELEMENTS.get(tagName(tree, node));
    if (name === undefined) {
      node = last[node];
      continue;
    }
    const written = [...attributesOf(source, start[node], openEnd[node])];
    if (node === svg) for (const [attribute, value] of written) own[attribute] = value;
    const space =
      node === svg ? ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
    out.push(`<${name}${space}${written.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')}>`);
    open.push({ name, last: last[node] });
    node++;
  }
  while (open.length > 0) out.push(`</${open.pop()!.name}>`);
  const data = Buffer.from(out.join('')).toString('base64');
  const size = ['width', 'height'].map((side) => {
    const value = own[side] ?? '';
    return /^\d{1,4}(?:\.\d+)?(?:px|em|rem|%)?$/.test(value) ? ` ${side}="${value}"` : '';
  });
  return `<img alt="" class="${escapeHtml(classOf(source, start[svg], openEnd[svg]))}"${size.join('')} src="data:image/svg+xml;base64,${data}">`;
}

function* attributesOf(source: Uint8Array, start: number, end: number): Generator<[string, string]> {
  const seen = new Set<string>();
  for (const { nameStart, nameEnd, valueStart, valueEnd } of scanAttributes(source, start, end)) {
    const name = ATTRIBUTES.get(sliceText(source, nameStart, nameEnd).toLowerCase());
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    const value = decodeAttribute(sliceText(source, valueStart, valueEnd));
    const isAddress = name === 'href' || name === 'xlink:href';
    // only addresses within the image
    if (isAddress ? /^#[\w-]+$/.test(value) : !/url\s*\(\s*[^#\s]|[<\\]/i.test(value)) yield [name, value];
  }
}

function classOf(source: Uint8Array, start: number, end: number): string {
  for (const { nameStart, nameEnd, valueStart, valueEnd } of scanAttributes(source, start, end)) {
    if (sliceText(source, nameStart, nameEnd).toLowerCase() !== 'class') continue;
    return decodeAttribute(sliceText(source, valueStart, valueEnd));
  }
  return '';
}
