/**
 * Colours of the template map. By frequency, templates contrast more with the content the more pages have them, as in
 * the report. Other colourings have a hue for each of the twelve largest templates, for each group of
 * roles, or for each verdict of two detectors. Colours are packed as canvases store them, so that pixels are plain numbers.
 */
import {
  CLASS_NAMES,
  classBounds,
  classOf,
  DARK_PALETTE,
  LIGHT_PALETTE,
} from '../../../report/frequency-classes.ts';
import { roleName } from '../../../report/role-name.ts';
import type { MapFacts } from '../../../store/explore/map-rows.ts';

/** Ways of colouring the map. */
export const COLOURINGS = ['frequency', 'template', 'role', 'detector'] as const;
/** One of `COLOURINGS`. */
export type Colouring = (typeof COLOURINGS)[number];

/** A colour of the map and its meaning. */
export interface LegendEntry {
  colour: string;
  label: string;
  /** Id of the template that is highlighted when the entry is chosen. */
  template?: string;
}

/** Packed colours of the map, and their legend. */
export interface MapColours {
  paper: number;
  /** Right of the end of a page. */
  outside: number;
  content: number;
  line: number;
  unsure: number;
  slot: number;
  outlier: number;
  /** Colours by index of the template in the list; the last one is for templates that are not listed. */
  templates: Uint32Array;
  /** Colours by number of the role; 0 for none. */
  roles: Uint32Array;
  /** Colours by verdict: neither detector, only the first, only the second, both. */
  verdicts: [number, number, number, number];
  legend: LegendEntry[];
}

/** Hues that colour-blind readers can distinguish (after Okabe and Ito, with lighter and darker variants). */
const HUES = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#8c6bb1',
  '#b8a400',
  '#4d9078',
  '#a85c32',
  '#6b7fd7',
  '#c06c84',
];

/** Related roles have one hue. */
const ROLE_GROUPS: [label: string, hue: string, roles: string[]][] = [
  ['header, head', '#0072b2', ['header', 'head']],
  ['menu, breadcrumb, contents', '#8c6bb1', ['menu', 'navigation', 'breadcrumb', 'contents', 'toc']],
  ['sidebar, related', '#e69f00', ['sidebar', 'related']],
  ['footer, legal', '#a85c32', ['footer', 'legal']],
  ['comments', '#009e73', ['comments']],
  ['title, byline, date', '#d55e00', ['title', 'byline', 'date']],
  ['caption, code, facts', '#cc79a7', ['caption', 'code', 'facts']],
  ['form', '#56b4e9', ['form']],
];
const HUE_OF_ROLE = new Map(
  ROLE_GROUPS.flatMap(([, hue, roles]) => roles.map((role) => [role, hue] as const)),
);

/** Returns the colours and the legend of a map in one colouring. */
export function mapColours(
  facts: MapFacts,
  {
    colouring,
    dark,
    marked,
    versus,
    hasUnsure,
  }: { colouring: Colouring; dark: boolean; marked: string; versus: string; hasUnsure: boolean },
): MapColours {
  const grey = dark ? '#55585f' : '#b4b1aa';
  const { classes, content } = dark ? DARK_PALETTE : LIGHT_PALETTE;
  const bounds = classBounds(facts.urls);
  const pick = (index: number): string => {
    const template = facts.templates[index];
    if (!template) return colouring === 'frequency' ? classes[0] : grey;
    if (colouring === 'frequency') return classes[classOf(template.pages, bounds)];
    if (colouring === 'template') return index < HUES.length ? HUES[index] : grey;
    return HUE_OF_ROLE.get(template.role) ?? grey;
  };
  const dimmed = dark ? '#3b4048' : '#d2d7dd';
  const accent = dark ? '#ff9f5a' : '#d1480b';
  const templates = new Uint32Array(facts.templates.length + 1);
  for (let index = 0; index < templates.length; index++) {
    const isMarked = marked !== '' && facts.templates[index]?.id === marked;
    templates[index] = packed(isMarked ? accent : marked !== '' ? dimmed : pick(index));
  }
  const roles = new Uint32Array(facts.roles.length + 1);
  if (colouring === 'role' && marked === '') {
    facts.roles.forEach((role, k) => {
      const hue = HUE_OF_ROLE.get(role);
      if (hue) roles[k + 1] = packed(hue);
    });
  }
  const verdicts = [content, '#e69f00', '#8c6bb1', dark ? '#3f8bb0' : '#2f7fa5'];
  const slot = dark ? '#4a5a3a' : '#cfdcb8';
  const unsure = dark ? '#8a7a2f' : '#e8d98a';
  const legends: Record<Colouring, () => LegendEntry[]> = {
    frequency: () =>
      classes.map((colour, k) => ({
        colour,
        label: k === 0 ? `template on ${CLASS_NAMES[k]} of pages` : CLASS_NAMES[k],
      })),
    template: () => [
      ...templateEntries(facts),
      ...(facts.templates.length > HUES.length ? [{ colour: grey, label: 'other templates' }] : []),
    ],
    role: () => [
      ...ROLE_GROUPS.map(([label, colour]) => ({ colour, label })),
      { colour: grey, label: 'other templates' },
    ],
    detector: () => [
      { colour: verdicts[3], label: `both ${facts.detector} and ${versus}` },
      { colour: verdicts[1], label: `${facts.detector} only` },
      { colour: verdicts[2], label: `${versus} only` },
    ],
  };
  const legend = legends[colouring]();
  if (colouring !== 'detector') {
    const own = facts.templates.find(({ id }) => id === marked);
    if (marked !== '') {
      legend.splice(0, legend.length, { colour: dimmed, label: 'other templates' });
      if (own) legend.unshift({ colour: accent, label: templateLabel(own), template: own.id });
    }
    legend.push({ colour: slot, label: 'slot' });
    if (hasUnsure) legend.push({ colour: unsure, label: 'unsure' });
  }
  return {
    paper: packed(dark ? '#16171a' : '#fdfcfa'),
    outside: packed(dark ? '#26282d' : '#ececf0'),
    content: packed(content),
    line: packed(dark ? '#34363c' : '#dedbd4'),
    unsure: packed(unsure),
    slot: packed(slot),
    outlier: packed(dark ? '#ff7a5c' : '#c0341d'),
    templates,
    roles,
    verdicts: verdicts.map(packed) as MapColours['verdicts'],
    legend: [...legend, { colour: content, label: 'content' }],
  };
}

/** Names the largest templates; templates of one name are distinguished by their text. */
function templateEntries({ templates }: MapFacts): LegendEntry[] {
  const largest = templates
    .slice(0, HUES.length)
    .map((template) => ({ template, name: shortName(template) }));
  return largest.map(({ template, name }, k) => {
    const isAlone = largest.every((other, at) => at === k || other.name !== name);
    const text = template.text.trim();
    return {
      colour: HUES[k],
      label: isAlone || text === '' ? name : `${name} “${text.slice(0, 24)}${text.length > 24 ? '…' : ''}”`,
      template: template.id,
    };
  });
}

/** Returns the name with the innermost element of the path only. */
function shortName({ place, ...rest }: NamedTemplate): string {
  return templateLabel({ ...rest, place: place.split(' > ').at(-1) ?? '' });
}

interface NamedTemplate {
  role: string;
  place: string;
  text: string;
}

/** Returns the name of a template: its role and path as in the report, else the beginning of its text. */
export function templateLabel({ role, place, text }: NamedTemplate): string {
  if (role !== '') return place === '' || place === role ? roleName(role) : `${roleName(role)} · ${place}`;
  if (place !== '') return place;
  return text.trim() === '' ? roleName('markup') : text.trim().slice(0, 50);
}

/**
 * Returns the colour of a schema: adjacent schemas alternate between dark and light; pages without a schema have
 * the colour of the page.
 */
export function schemaColour(schema: number, dark: boolean): number {
  if (schema === 0) return packed(dark ? '#16171a' : '#fdfcfa');
  const isOdd = schema % 2 === 1;
  return packed(dark === isOdd ? '#d8d4cc' : '#5c5b57');
}

/** Converts `#rrggbb` to a pixel of a canvas: alpha, blue, green, red from the highest byte. */
function packed(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}
