/**
 * The dom detector (Gibson, Punera and Tomkins 2005, §3.1): a node is template when enough pages of the site
 * have a node with the same name, attributes and content, and no ancestor is template already. It labels
 * whole subtrees, so its ranges begin and end with elements. It misses parts that change even slightly on
 * every page; gaps between sibling templates partly make up for that.
 *
 * Counts are over distinct URLs. The upper threshold exists to exclude `<br>` and the like, so it bounds
 * occurrences and applies to trivially small nodes only: a menu printed twice per page is template. With
 * `bounds: 'every-node'` both thresholds bound the occurrences of every node, as in the paper.
 *
 * Learning holds the sampled pages in memory. Labelling costs a lookup per node.
 */
import type { Range } from '../model/range.ts';
import { holdTree, PageArena } from '../parse/page-arena.ts';
import type { Tree } from '../parse/tree.ts';
import type { Detector, ParsedPage, SiteModel } from './detector.ts';
import { countNodes, countNodesWithin, type FrequentNodes } from './dom-evidence.ts';
import { checkDomOptions, type DomOptions, lowerPages } from './dom-settings.ts';
import { type DomLimits, DomTables } from './dom-tables.ts';
import { LabellerCache } from './labeller-cache.ts';
import { LearntPages, ModelReader, ModelWriter, readLearntSite, writeLearntSite } from './model-bytes.ts';
import { slotIn, Tiles } from './ranges.ts';
import { decodeTemplates, encodeTemplates, TemplateCounter, TemplateRanges } from './template-ranges.ts';

/** Model of a site for the dom detector. */
export interface DomModel extends SiteModel, FrequentNodes, DomLimits {
  detector: 'dom';
  /** Lower threshold as applied, in pages; in occurrences with `bounds: 'every-node'`. */
  thresholdPages: number;
}

/** Returns a dom detector. */
export function domDetector(options: DomOptions = {}): Detector<DomModel> {
  const checked = checkDomOptions(options);
  const labellers = new LabellerCache((model: DomModel) => new DomLabeller(model));
  return {
    name: 'dom',
    samplePages: options.samplePages,
    learn: (site, pages) => learnDom(site, pages, checked),
    label: (page, model) => labellers.get(model).label(page),
    release: () => labellers.release(),
    encode: encodeDomModel,
    decode: decodeDomModel,
  };
}

function learnDom(site: string, pages: Iterable<ParsedPage>, options: Required<DomOptions>): DomModel {
  const arena = new PageArena();
  try {
    return learnFromArena(site, pages, options, arena);
  } finally {
    arena.release();
  }
}

/** Copies pages that are not kept into the arena, and learns from them. */
function learnFromArena(
  site: string,
  pages: Iterable<ParsedPage>,
  options: Required<DomOptions>,
  arena: PageArena,
): DomModel {
  const { evidence, bounds, trivialBytes, gapBytes, gapTextBytes, upperShare } = options;
  const learnt = new LearntPages();
  const sample: Tree[] = [];
  for (const parsed of pages) {
    learnt.add(parsed);
    sample.push(parsed.kept ? parsed.tree : holdTree(parsed.tree, arena));
  }
  const thresholdPages = lowerPages(sample.length, options);
  const upperOccurrences = Math.floor(sample.length * upperShare);
  const isBounded = bounds === 'every-node';
  const model: DomModel = {
    detector: 'dom',
    site,
    pagesLearnt: learnt.count,
    firstTime: learnt.firstTime,
    lastTime: learnt.lastTime,
    names: learnt.names,
    thresholdPages,
    ...(isBounded
      ? countNodesWithin(sample, { least: thresholdPages, most: upperOccurrences })
      : countNodes(sample, thresholdPages, evidence)),
    upperOccurrences,
    trivialBytes,
    gapBytes,
    gapTextBytes,
    templates: [],
  };

  // second pass over the sample: find the templates that its nodes form
  const tables = new DomTables(model);
  const counter = new TemplateCounter();
  for (const [page, tree] of sample.entries()) {
    for (const { low, high, start, end } of tables.findSpans(tree)) counter.add(low, high, page, end - start);
  }
  tables.release();
  model.templates = counter.templates(thresholdPages, isBounded ? 'occurrences' : 'pages');
  return model;
}

class DomLabeller {
  readonly #tables: DomTables;
  readonly #templates: TemplateRanges;

  constructor(model: DomModel) {
    if (model.detector !== 'dom') throw new TypeError(`expected a model of dom, not of ${model.detector}`);
    this.#tables = new DomTables(model);
    this.#templates = new TemplateRanges(model);
  }

  label({ tree }: ParsedPage): Range[] {
    const tiles = new Tiles(tree.source.length);
    for (const span of this.#tables.findSpans(tree)) {
      const { start, end, members, pages, low, high, gaps } = span;
      // a single node was counted at every position; a sequence counts as whole only in its own occurrences
      const wholePages = members === 1 ? pages : undefined;
      const whole = this.#templates.range(start, end, low, high, pages, wholePages);
      let from = start;
      for (let gap = 0; gap < gaps.length; gap += 2) {
        tiles.add({ ...whole, start: from, end: gaps[gap] });
        tiles.add(slotIn(whole, gaps[gap], gaps[gap + 1]));
        from = gaps[gap + 1];
      }
      tiles.add(from === start ? whole : { ...whole, start: from });
    }
    return tiles.finish();
  }

  release(): void {
    this.#tables.release();
  }
}

function encodeDomModel(model: DomModel): Uint8Array {
  const writer = new ModelWriter();
  writeLearntSite(writer, model);
  writer.number(model.thresholdPages);
  writer.number(model.evidence === 'place' ? 1 : 0);
  writer.number(model.upperOccurrences);
  writer.number(model.trivialBytes);
  writer.number(model.gapBytes);
  writer.number(model.gapTextBytes);
  writer.counts(model.nodes);
  writer.hashes(model.places.low, model.places.high);
  encodeTemplates(writer, model.templates);
  return writer.finish();
}

function decodeDomModel(bytes: Uint8Array): DomModel {
  const reader = new ModelReader(bytes);
  const model: DomModel = {
    detector: 'dom',
    ...readLearntSite(reader),
    thresholdPages: reader.number(),
    evidence: reader.number() === 1 ? 'place' : 'content',
    upperOccurrences: reader.number(),
    trivialBytes: reader.number(),
    gapBytes: reader.number(),
    gapTextBytes: reader.number(),
    nodes: reader.counts(),
    places: reader.hashes(),
    templates: decodeTemplates(reader),
  };
  reader.end();
  return model;
}
