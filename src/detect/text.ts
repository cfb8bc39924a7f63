/**
 * The text detector (Gibson, Punera and Tomkins 2005, §3.2): windows of W characters over the detagged
 * text that stand on at least F of P sampled pages are template, and so is what they cover together. It
 * needs no structure, so it finds what programs print across the tree, and misses what is shorter than W.
 *
 * Counts are over distinct URLs, or over occurrences as in the paper (`count`). W counts characters. With D > 0 only windows whose hash is a multiple of
 * D are looked at, the same ones on every page: faster, but the ends of each template are lost, up to about
 * D characters on either side, and most templates shorter than that.
 *
 * Learning holds the sample's texts, not its trees, and hashes what pages may share (window-teller.ts); where that
 * is more than 16 MB, or with D > 0, texts are rolled over three or four times, and labelling costs one roll over the
 * page's text. Otherwise the model holds what is template as text, and labelling compares with that, at a tenth of the
 * cost (known-texts.ts); for the pages of the sample that are held it costs nothing: what was found in them is
 * remembered.
 */
import { frequentTexts, knowTexts } from '../analysis/frequent-texts.ts';
import { emptyCounts, type HashCounts } from '../analysis/hash-counter.ts';
import { TextWindows } from '../analysis/text-windows.ts';
import { countWindows } from '../analysis/window-counter.ts';
import { tellWindows } from '../analysis/window-teller.ts';
import type { Range } from '../model/range.ts';
import { sourceOffset } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';
import type { Detector, ParsedPage, SiteModel } from './detector.ts';
import { LearntPages, readLearntSite, writeLearntSite } from './learnt-pages.ts';
import { ByteReader, ByteWriter } from './model-bytes.ts';
import { Tiles } from './ranges.ts';
import { readTemplates, TemplateCounter, writeTemplates } from './template-counter.ts';
import { TemplateRanges } from './template-ranges.ts';
import { checkTextOptions, frequencyFor, type TextOptions } from './text-settings.ts';
import { countGaps, type FrequentText, type Stretch, StretchFinder } from './text-stretches.ts';

export interface TextModel extends SiteModel, FrequentText {
  detector: 'text';
  /** F as it was applied, in pages. */
  thresholdPages: number;
  /** What all fragments stand in; none when that could not be told. */
  texts: Uint8Array[];
}

export function textDetector(options: TextOptions = {}): Detector<TextModel> {
  const checked = checkTextOptions(options);
  const memory: Memory = {};
  return {
    name: 'text',
    samplePages: options.samplePages,
    learn: (site, pages) => learnText(site, pages, checked, memory),
    label: (parsed, model) => labelText(parsed, model, memory),
    encode: encodeTextModel,
    decode: decodeTextModel,
  };
}

/** What was learnt from last: whoever labels by that model has what finds its templates, and what it found, at hand. */
interface Memory {
  last?: { frequent: FrequentText; finder: StretchFinder; stretches: WeakMap<Tree, Stretch[]> };
}

function learnText(
  site: string,
  pages: Iterable<ParsedPage>,
  options: Required<TextOptions>,
  memory: Memory,
): TextModel {
  const { windowCharacters, density, wholeWords, cut, count } = options;
  memory.last = undefined;
  const learnt = new LearntPages();
  const sample: { url: string; text: Uint8Array; tree: Tree | undefined }[] = [];
  for (const parsed of pages) {
    learnt.add(parsed);
    const { text, textLength } = parsed.tree;
    sample.push({
      url: parsed.page.url,
      text: parsed.kept ? text.subarray(0, textLength) : text.slice(0, textLength),
      tree: parsed.kept ? parsed.tree : undefined,
    });
  }
  // where a window stands first, and so the model's texts, are the same in whatever order pages come
  sample.sort((a, b) => (a.url < b.url ? -1 : 1));
  const texts = sample.map(({ text }) => text);
  const thresholdPages = frequencyFor(texts.length, options);
  const windows = new TextWindows(windowCharacters, density);
  const told = count === 'pages' ? tellWindows(texts, windows, thresholdPages) : undefined;
  const fragments = told?.counts ?? countWindows(texts, windows, thresholdPages, { count });
  const gaps = density > 1 ? countGaps(texts, windows, fragments, thresholdPages, count) : emptyCounts(0);
  const known = told ? frequentTexts(told, windowCharacters) : [];
  const frequent = { windowCharacters, density, wholeWords, cut, fragments, gaps };

  // second pass over the sample: what the fragments add up to
  const finder = new StretchFinder(frequent, knowTexts(known, fragments, frequent));
  const counter = new TemplateCounter();
  const stretches = new WeakMap<Tree, Stretch[]>();
  for (let page = 0; page < texts.length; page++) {
    const found = finder.find(texts[page], texts[page].length);
    for (const { start, end, low, high } of found) counter.add(low, high, page, end - start);
    const { tree } = sample[page];
    if (tree) stretches.set(tree, found);
  }
  memory.last = { frequent, finder, stretches };
  return {
    detector: 'text',
    site,
    pagesLearnt: learnt.count,
    firstTime: learnt.firstTime,
    lastTime: learnt.lastTime,
    thresholdPages,
    ...frequent,
    texts: known,
    templates: counter.templates(thresholdPages, count),
  };
}

function labelText({ tree }: ParsedPage, model: TextModel, memory: Memory): Range[] {
  const { finder, templates, learnt } = lookupsOf(model, memory);
  const tiles = new Tiles(tree.source.length);
  let position = 0;
  for (const stretch of learnt?.get(tree) ?? finder.find(tree.text, tree.textLength)) {
    const start = Math.max(position, sourceOffset(tree, stretch.start, 'start'));
    const end = sourceOffset(tree, stretch.end, 'end');
    if (end <= start) continue;
    position = end;
    tiles.add(templates.range(start, end, stretch.low, stretch.high, stretch.pages));
  }
  return tiles.finish();
}

interface Lookups {
  finder: StretchFinder;
  templates: TemplateRanges;
  /** Of pages it was learnt from that are still at hand. */
  learnt?: WeakMap<Tree, Stretch[]>;
}

// a model is plain data; what is needed to look things up in it is built at first use
const lookups = new WeakMap<TextModel, Lookups>();

function lookupsOf(model: TextModel, { last }: Memory): Lookups {
  let found = lookups.get(model);
  if (!found) {
    if (model.detector !== 'text') throw new TypeError(`expected a model of text, not of ${model.detector}`);
    const known = last && isSame(last.frequent, model) ? last : undefined;
    found = {
      finder: known?.finder ?? new StretchFinder(model, knowTexts(model.texts, model.fragments, model)),
      templates: new TemplateRanges(model),
      learnt: known?.stretches,
    };
    lookups.set(model, found);
  }
  return found;
}

/** Models are encoded and decoded between learning and labelling: the same fragments are not the same object. */
function isSame(a: FrequentText, b: FrequentText): boolean {
  return (
    a.windowCharacters === b.windowCharacters &&
    a.density === b.density &&
    a.wholeWords === b.wholeWords &&
    a.cut === b.cut &&
    areSame(a.fragments, b.fragments) &&
    areSame(a.gaps, b.gaps)
  );
}

function areSame(a: HashCounts, b: HashCounts): boolean {
  return (
    Buffer.compare(bytesOf(a.low), bytesOf(b.low)) === 0 &&
    Buffer.compare(bytesOf(a.high), bytesOf(b.high)) === 0 &&
    Buffer.compare(bytesOf(a.pages), bytesOf(b.pages)) === 0
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function encodeTextModel(model: TextModel): Uint8Array {
  const writer = new ByteWriter();
  writeLearntSite(writer, model);
  writer.number(model.thresholdPages);
  writer.number(model.windowCharacters);
  writer.number(model.density);
  writer.number((model.wholeWords ? WHOLE_WORDS : 0) | (model.cut === 'none' ? UNCUT : 0));
  writer.counts(model.fragments);
  writer.counts(model.gaps);
  writer.number(model.texts.length);
  for (const text of model.texts) {
    writer.number(text.length);
    writer.bytes(text);
  }
  writeTemplates(writer, model.templates);
  return writer.finish();
}

/** Bits of a model's flags. */
const WHOLE_WORDS = 1;
const UNCUT = 2;

function decodeTextModel(bytes: Uint8Array): TextModel {
  const reader = new ByteReader(bytes);
  const learnt = readLearntSite(reader);
  const [thresholdPages, windowCharacters, density, flags] = [0, 0, 0, 0].map(() => reader.number());
  const model: TextModel = {
    detector: 'text',
    ...learnt,
    thresholdPages,
    windowCharacters,
    density,
    wholeWords: (flags & WHOLE_WORDS) !== 0,
    cut: (flags & UNCUT) !== 0 ? 'none' : 'pages',
    fragments: reader.counts(),
    gaps: reader.counts(),
    texts: Array.from({ length: reader.length() }, () => Uint8Array.from(reader.bytes(reader.length()))),
    templates: readTemplates(reader),
  };
  reader.end();
  return model;
}
