/**
 * The dom detector (Gibson, Punera and Tomkins 2005, §3.1): a node is template when enough pages of the
 * site hold a node of the same name, attributes and content, and no ancestor is template already. It reads
 * whole fragments out of the tree, so its ranges begin and end with elements; it misses what changes on
 * every page even slightly, which the gaps between sibling templates partly mend.
 *
 * Counts are over distinct URLs. The upper threshold is there to keep `<br>` and its like out, so it bounds
 * occurrences and applies to trivially small nodes only: a menu printed twice per page is template. With
 * `bounds: 'every-node'` both thresholds bound the occurrences of every node, as in the paper.
 *
 * Learning holds nine columns of each sampled page, 31 bytes a node. Labelling costs a look-up per node.
 */
import type { Range } from '../model/range.ts';
import type { Detector, ParsedPage, SiteModel } from './detector.ts';
import {
  countNodes,
  countNodesWithin,
  type FrequentNodes,
  NodeJudge,
  type TrivialLimits,
} from './dom-evidence.ts';
import { checkDomOptions, type DomOptions, lowerPages } from './dom-settings.ts';
import { type GapLimits, NodeStretches, type StretchCopy } from './dom-stretches.ts';
import { KnownTemplates } from './known-templates.ts';
import { LearntPages, readLearntSite, writeLearntSite } from './learnt-pages.ts';
import { ByteReader, ByteWriter } from './model-bytes.ts';
import { copyColumns, type NodeColumns } from './node-walk.ts';
import { slotIn, Tiles } from './ranges.ts';
import { readTemplates, TemplateCounter, writeTemplates } from './template-counter.ts';

export interface DomModel extends SiteModel, FrequentNodes, TrivialLimits, GapLimits {
  detector: 'dom';
  /** The lower threshold as it was applied, in pages, or in occurrences with bounds of every node. */
  thresholdPages: number;
}

export function domDetector(options: DomOptions = {}): Detector<DomModel> {
  const checked = checkDomOptions(options);
  return {
    name: 'dom',
    samplePages: options.samplePages,
    learn: (site, pages) => learnDom(site, pages, checked),
    label: labelDom,
    encode: encodeDomModel,
    decode: decodeDomModel,
  };
}

function learnDom(site: string, pages: Iterable<ParsedPage>, options: Required<DomOptions>): DomModel {
  const { evidence, bounds, trivialBytes, gapBytes, gapTextBytes, upperShare } = options;
  const learnt = new LearntPages();
  const sample: NodeColumns[] = [];
  const isKept: boolean[] = [];
  for (const parsed of pages) {
    learnt.add(parsed);
    isKept.push(parsed.kept === true);
    sample.push(parsed.kept ? parsed.tree : copyColumns(parsed.tree));
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

  // second pass over the sample: what the nodes add up to
  const stretchesOf = new WeakMap<NodeColumns, StretchCopy>();
  const judge = new NodeJudge(model);
  const stretches = new NodeStretches();
  const counter = new TemplateCounter();
  for (let page = 0; page < sample.length; page++) {
    stretches.find(sample[page], judge, model);
    countStretches(stretches, page, counter);
    if (isKept[page]) stretchesOf.set(sample[page], stretches.copy());
  }
  model.templates = counter.templates(thresholdPages, isBounded ? 'occurrences' : 'pages');
  lookups.set(model, { judge, stretches, stretchesOf, templates: new KnownTemplates(model) });
  return model;
}

function countStretches(
  { count, start, end, low, high }: NodeStretches,
  page: number,
  counter: TemplateCounter,
): void {
  for (let i = 0; i < count; i++) counter.add(low[i], high[i], page, end[i] - start[i]);
}

function labelDom({ tree }: ParsedPage, model: DomModel): Range[] {
  const { judge, stretches, stretchesOf, templates } = lookupsOf(model);
  const known = stretchesOf.get(tree);
  if (!known) stretches.find(tree, judge, model);
  return rangesOf(known ?? stretches, templates, tree.source.length);
}

function rangesOf(stretches: StretchCopy, templates: KnownTemplates, sizeBytes: number): Range[] {
  const { count, start, end, members, pages, low, high, gapsFrom, gapsTo, gapStart, gapEnd } = stretches;
  const tiles = new Tiles(sizeBytes);
  for (let i = 0; i < count; i++) {
    // a single node was counted wherever it stands; of a sequence, only its own occurrences count as whole
    const wholePages = members[i] === 1 ? pages[i] : undefined;
    const whole = templates.range(start[i], end[i], low[i], high[i], pages[i], wholePages);
    let from = start[i];
    for (let gap = gapsFrom[i]; gap < gapsTo[i]; gap++) {
      tiles.add({ ...whole, start: from, end: gapStart[gap] });
      tiles.add(slotIn(whole, gapStart[gap], gapEnd[gap]));
      from = gapEnd[gap];
    }
    tiles.add(from === start[i] ? whole : { ...whole, start: from });
  }
  return tiles.finish();
}

interface Lookups {
  judge: NodeJudge;
  stretches: NodeStretches;
  /** Of the pages it was learnt from, while their trees are kept: these are labelled as well, as a rule. */
  stretchesOf: WeakMap<NodeColumns, StretchCopy>;
  templates: KnownTemplates;
}

// a model is plain data; what is needed to look things up in it is left by learning, or built at first use
const lookups = new WeakMap<DomModel, Lookups>();

function lookupsOf(model: DomModel): Lookups {
  let found = lookups.get(model);
  if (!found) {
    if (model.detector !== 'dom') throw new TypeError(`expected a model of dom, not of ${model.detector}`);
    found = {
      judge: new NodeJudge(model),
      stretches: new NodeStretches(),
      stretchesOf: new WeakMap(),
      templates: new KnownTemplates(model),
    };
    lookups.set(model, found);
  }
  return found;
}

function encodeDomModel(model: DomModel): Uint8Array {
  const writer = new ByteWriter();
  writeLearntSite(writer, model);
  writer.number(model.thresholdPages);
  writer.number(model.evidence === 'place' ? 1 : 0);
  writer.number(model.upperOccurrences);
  writer.number(model.trivialBytes);
  writer.number(model.gapBytes);
  writer.number(model.gapTextBytes);
  writer.counts(model.nodes);
  writer.hashes(model.places.low, model.places.high);
  writeTemplates(writer, model.templates);
  return writer.finish();
}

function decodeDomModel(bytes: Uint8Array): DomModel {
  const reader = new ByteReader(bytes);
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
    templates: readTemplates(reader),
  };
  reader.end();
  return model;
}
