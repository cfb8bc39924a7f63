/**
 * The text detector (Gibson, Punera and Tomkins 2005, §3.2): windows of W characters over the text without
 * tags are template when they are on at least F of P sampled pages, and so is the text that they cover
 * together. The detector needs no structure, so it finds what programs print across element boundaries, and
 * it misses texts shorter than W.
 *
 * Counts are over distinct URLs, or over occurrences as in the paper (`count`). W counts characters. With D >
 * 0 only windows whose hash is a multiple of D are counted, the same ones on every page. That is faster, but
 * it loses the ends of each template, up to about D characters on either side, and most templates shorter
 * than that.
 *
 * Learning holds the texts of the sample and hashes the windows that pages may share (frequent-windows.ts).
 * If those are more than 16 MB, or with D > 0, texts are hashed three or four times, and labelling costs one
 * pass over the page's text. Otherwise the model holds the text of templates, and labelling compares with
 * that, at a fifth of the cost (known-texts.ts).
 */
import { countWindows, findFrequentWindows } from '../analysis/frequent-windows.ts';
import { emptyKeyCounts } from '../analysis/hash-tables.ts';
import { frequentTexts } from '../analysis/known-texts.ts';
import { KernelTexts, WindowRoll } from '../analysis/text-windows.ts';
import type { Range } from '../model/range.ts';
import { sourceOffset } from '../parse/source-map.ts';
import type { Detector, ParsedPage, SiteModel } from './detector.ts';
import { LabellerCache } from './labeller-cache.ts';
import { LearntPages, ModelReader, ModelWriter, readLearntSite, writeLearntSite } from './model-bytes.ts';
import { Tiles } from './ranges.ts';
import { decodeTemplates, encodeTemplates, TemplateCounter, TemplateRanges } from './template-ranges.ts';
import { countGaps, type FrequentText, TemplateSpanFinder } from './template-spans.ts';
import { checkTextOptions, frequencyFor, type TextOptions } from './text-settings.ts';

/** Model of a site for the text detector. */
export interface TextModel extends SiteModel, FrequentText {
  detector: 'text';
  /** F as applied, in pages. */
  thresholdPages: number;
  /** Texts that contain all fragments; empty when they are not known. */
  texts: Uint8Array[];
}

/** Returns a text detector. */
export function textDetector(options: TextOptions = {}): Detector<TextModel> {
  const checked = checkTextOptions(options);
  const labellers = new LabellerCache((model: TextModel) => new TextLabeller(model));
  return {
    name: 'text',
    samplePages: options.samplePages,
    learn: (site, pages) => learnText(site, pages, checked),
    label: (parsed, model) => labellers.get(model).label(parsed),
    release: () => labellers.release(),
    encode: encodeTextModel,
    decode: decodeTextModel,
  };
}

function learnText(site: string, pages: Iterable<ParsedPage>, options: Required<TextOptions>): TextModel {
  const texts = new KernelTexts();
  try {
    return learnFromCopies(site, pages, options, texts);
  } finally {
    texts.release();
  }
}

/** Copies the texts of pages that are not kept, and learns from them. */
function learnFromCopies(
  site: string,
  pages: Iterable<ParsedPage>,
  options: Required<TextOptions>,
  texts: KernelTexts,
): TextModel {
  const { windowCharacters, density, wholeWords, cut, count } = options;
  const learnt = new LearntPages();
  const urls = new Map<object, string>();
  for (const parsed of pages) {
    learnt.add(parsed);
    const { text, textLength } = parsed.tree;
    urls.set(texts.add(text.subarray(0, textLength), parsed.kept === true), parsed.page.url);
  }
  // the first occurrence of a window, hence the model's texts, must not depend on the order of pages
  texts.spans.sort((a, b) => (urls.get(a)! < urls.get(b)! ? -1 : 1));
  const thresholdPages = frequencyFor(texts.spans.length, options);
  const roll = new WindowRoll(windowCharacters, density);
  const found = count === 'pages' ? findFrequentWindows(texts, roll, thresholdPages) : undefined;
  const fragments = found?.counts ?? countWindows(texts, roll, thresholdPages, { count });
  roll.release();
  const gaps = density > 1 ? countGaps(texts, options, fragments, thresholdPages, count) : emptyKeyCounts(0);
  const known = found ? frequentTexts(found, windowCharacters) : [];
  const frequent = { windowCharacters, density, wholeWords, cut, fragments, gaps };

  // second pass over the sample: find the templates that its fragments form
  const finder = new TemplateSpanFinder(frequent, known);
  const counter = new TemplateCounter();
  for (const [page, span] of texts.spans.entries()) {
    for (const { start, end, low, high } of finder.findIn(span)) counter.add(low, high, page, end - start);
  }
  finder.release();
  return {
    detector: 'text',
    site,
    pagesLearnt: learnt.count,
    firstTime: learnt.firstTime,
    lastTime: learnt.lastTime,
    names: learnt.names,
    thresholdPages,
    ...frequent,
    texts: known,
    templates: counter.templates(thresholdPages, count),
  };
}

class TextLabeller {
  readonly #finder: TemplateSpanFinder;
  readonly #templates: TemplateRanges;

  constructor(model: TextModel) {
    if (model.detector !== 'text') throw new TypeError(`expected a model of text, not of ${model.detector}`);
    this.#finder = new TemplateSpanFinder(model, model.texts);
    this.#templates = new TemplateRanges(model);
  }

  label({ tree }: ParsedPage): Range[] {
    const tiles = new Tiles(tree.source.length);
    let position = 0;
    for (const span of this.#finder.find(tree.text, tree.textLength)) {
      const start = Math.max(position, sourceOffset(tree, span.start, 'start'));
      const end = sourceOffset(tree, span.end, 'end');
      if (end <= start) continue;
      position = end;
      tiles.add(this.#templates.range(start, end, span.low, span.high, span.pages));
    }
    return tiles.finish();
  }

  release(): void {
    this.#finder.release();
  }
}

function encodeTextModel(model: TextModel): Uint8Array {
  const writer = new ModelWriter();
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
  encodeTemplates(writer, model.templates);
  return writer.finish();
}

/** Bits of a model's flags. */
const WHOLE_WORDS = 1;
const UNCUT = 2;

function decodeTextModel(bytes: Uint8Array): TextModel {
  const reader = new ModelReader(bytes);
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
    templates: decodeTemplates(reader),
  };
  reader.end();
  return model;
}
