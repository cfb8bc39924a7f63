/**
 * The joint detector, Chaff's own: one verdict on each block of a page (a run of inline text). The evidence is the page
 * alone (as in Chakrabarti et al. 2007), the other pages of the site (as in Gibson et al. 2005 and Leśniak 2017) and
 * the names of elements. A model trained on labelled pages weighs the evidence; missing evidence, such as on a site of
 * one page, is marked as missing.
 *
 * Learning counts the sampled pages once and scores some of them; it holds their trees in memory. Labelling takes some
 * microseconds per block. Where most pages of a sample are copies of others, such as one page under many URLs, each
 * text counts once, so that copies do not turn an article into a template.
 */
import { hashBytes, hashId, urlHashLanes } from '../../analysis/byte-hash.ts';
import { checkChoice, checkNames, checkNumber, withoutUndefined } from '../../model/check-option.ts';
import type { Range } from '../../model/range.ts';
import { checkRoleChoice, type RoleChoice } from '../../model/role.ts';
import { holdTree, PageArena } from '../../parse/page-arena.ts';
import type { Tree } from '../../parse/tree.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from '../detector.ts';
import { LabellerCache } from '../labeller-cache.ts';
import {
  LearntPages,
  ModelFormatError,
  ModelReader,
  ModelWriter,
  readLearntSite,
  writeLearntSite,
} from '../model-bytes.ts';
import { blockRanges } from './block-ranges.ts';
import { DateSlotCounter, type DateSlots, datesInSlots } from './date-slots.ts';
import { isForumUrl } from './forum-page.ts';
import { checkJointModel, type JointModel } from './joint-model.ts';
import { BlockJudge, JUDGE_MODES, type JudgeMode } from './judge-blocks.ts';
import { packagedJointModel } from './packaged-joint-model.ts';
import { type EvidenceColumns, KIND_NUMBERS, SAVED_WORDS, SiteEvidence } from './site-evidence.ts';

/** Options of `jointDetector`. */
export interface JointOptions {
  /** Replaces the model of the package. */
  model?: JointModel;
  /** Above 1 keeps more, below 1 cuts more, 0.25 to 4. @default 1 */
  dial?: number;
  /**
   * `text` is for reading; `fields` keeps values that vary over the pages of a catalogue and drops long prose. @default
   * 'text'
   */
  mode?: JudgeMode;
  /** Roles to keep or drop, in addition to the defaults: `{ without: ['title'] }`, `{ only: ['comments'] }`. */
  roles?: RoleChoice;
}

/** Options of measurements. */
interface MeasuredOptions extends JointOptions {
  /** Names of rules of judge-blocks.ts to leave out, to measure what each is worth. @default none */
  skipped?: readonly string[];
}

/** Default options of the joint detector. */
export const JOINT_DEFAULTS = { dial: 1, mode: 'text' } as const;

/** What the joint detector learns from a sample of a site: counts of blocks, and where the site shows dates. */
export interface JointSiteModel extends SiteModel {
  detector: 'joint';
  evidence: EvidenceColumns;
  /** Hashes of the URLs whose text was counted, sorted by (high, low). */
  counted: { low: Int32Array; high: Int32Array };
  /** Slots in which pages show when they were published. */
  dateSlots: DateSlots;
}

/** Maximum number of sampled pages whose blocks are scored for the mean score of each slot. */
const SCORED_PAGES = 64;

/** Creates the joint detector, the default; throws when an option is out of range. */
export function jointDetector(options: MeasuredOptions = {}): Detector<JointSiteModel> {
  checkNames(options, ['model', 'dial', 'mode', 'roles', 'skipped']);
  const { model, dial, mode, roles = {}, skipped } = { ...JOINT_DEFAULTS, ...withoutUndefined(options) };
  if (model !== undefined) checkJointModel(model);
  checkNumber('dial', dial, { min: 0.25, max: 4 });
  checkChoice('mode', mode, JUDGE_MODES);
  checkNames(roles, ['with', 'without', 'only'], 'roles');
  checkRoleChoice(roles);
  // created at first use: listing the detectors needs no model
  let made: BlockJudge | undefined;
  const judge = (): BlockJudge => {
    made ??= new BlockJudge(model ?? packagedJointModel(), { dial, mode, roles, skipped });
    return made;
  };
  const labellers = new LabellerCache((siteModel: JointSiteModel) => new JointLabeller(siteModel, judge()));
  return {
    name: 'joint',
    wantsCaptures: true,
    learn(site, pages) {
      const arena = new PageArena();
      try {
        return learnJoint(site, pages, judge(), arena);
      } finally {
        arena.release();
      }
    },
    label: (page, siteModel, context) => labellers.get(siteModel).label(page, context),
    release() {
      labellers.release();
      made?.release();
      made = undefined;
    },
    encode: encodeSiteModel,
    decode: decodeSiteModel,
  };
}

interface SampledPage {
  url: string;
  tree: Tree;
  /** Hash of the URL. */
  low: number;
  high: number;
}

function learnJoint(
  site: string,
  pages: Iterable<ParsedPage>,
  judge: BlockJudge,
  arena: PageArena,
): JointSiteModel {
  const learnt = new LearntPages();
  const sampled: SampledPage[] = [];
  const evidence = new SiteEvidence(judge.reader);
  try {
    for (const parsed of pages) {
      learnt.add(parsed);
      const { url } = parsed.page;
      const tree = parsed.kept ? parsed.tree : holdTree(parsed.tree, arena);
      sampled.push({ url, tree, ...urlHashLanes(url) });
    }
    sampled.sort((a, b) => (a.high >>> 0) - (b.high >>> 0) || (a.low >>> 0) - (b.low >>> 0));
    const counted = withoutManyCopies(sampled);
    for (const { url, tree } of counted) evidence.count(tree, judge.reader.find(tree, url));
    evidence.finish();
    const dateSlots = new DateSlotCounter();
    // all pages are scored before the scores are counted, so that no score depends on another
    for (const { url, tree } of counted.slice(0, SCORED_PAGES)) {
      const blocks = judge.reader.read(tree, url);
      evidence.countScores(judge.scoreFirst(tree, blocks, evidence, true));
      evidence.describe(isForumUrl(url));
      dateSlots.add(tree, blocks);
    }
    return {
      detector: 'joint',
      site,
      pagesLearnt: learnt.count,
      firstTime: learnt.firstTime,
      lastTime: learnt.lastTime,
      names: learnt.names,
      templates: [],
      evidence: evidence.save(),
      counted: {
        low: Int32Array.from(sampled, ({ low }) => low),
        high: Int32Array.from(sampled, ({ high }) => high),
      },
      dateSlots: dateSlots.finish(),
    };
  } finally {
    evidence.release();
  }
}

/** All pages; only the first page of each text if that at least halves their number. */
function withoutManyCopies(pages: SampledPage[]): SampledPage[] {
  const byText = new Map<string, SampledPage>();
  for (const page of pages) {
    const { text, textLength } = page.tree;
    const { low, high } = hashBytes(text, 0, textLength, { low: 0, high: 0 });
    const id = hashId(low, high);
    if (!byText.has(id)) byText.set(id, page);
  }
  return 2 * byText.size <= pages.length ? [...byText.values()] : pages;
}

class JointLabeller {
  readonly #judge: BlockJudge;
  readonly #evidence: SiteEvidence;
  readonly #counted: Set<string>;
  readonly #dateSlots: DateSlots;

  constructor(model: JointSiteModel, judge: BlockJudge) {
    if (model.detector !== 'joint')
      throw new TypeError(`expected a model of joint, not of ${model.detector}`);
    this.#judge = judge;
    this.#evidence = new SiteEvidence(judge.reader, model.evidence);
    this.#dateSlots = model.dateSlots;
    const { low, high } = model.counted;
    this.#counted = new Set(Array.from(low, (lane, k) => `${high[k]} ${lane}`));
  }

  label({ page, tree }: ParsedPage, context?: LabelContext): Range[] {
    const { low, high } = urlHashLanes(page.url);
    const isCounted = this.#counted.has(`${high} ${low}`);
    const verdict = this.#judge.judge(tree, page.url, this.#evidence, isCounted, context);
    context?.onFindings?.({ isForum: verdict.isForum, ...datesInSlots(tree, verdict, this.#dateSlots) });
    return blockRanges(tree, verdict);
  }

  release(): void {
    this.#evidence.release();
  }
}

function encodeSiteModel(model: JointSiteModel): Uint8Array {
  const { evidence, counted } = model;
  const writer = new ModelWriter();
  writeLearntSite(writer, model);
  writer.hashes(counted.low, counted.high);
  writer.hashes(model.dateSlots.low, model.dateSlots.high);
  writer.number(model.dateSlots.order);
  writer.number(evidence.pages);
  for (const sum of evidence.kind) writer.number(sum);
  writer.hashes(evidence.low, evidence.high);
  for (let word = 0; word < SAVED_WORDS; word++) {
    for (let k = word; k < evidence.counts.length; k += SAVED_WORDS) writer.number(evidence.counts[k]);
  }
  writer.number(evidence.groups.length);
  for (const { pages, slots } of evidence.groups) {
    writer.number(pages);
    writer.number(slots.length);
    for (const [k, slot] of slots.entries()) writer.number(slot - (k > 0 ? slots[k - 1] : 0));
  }
  return writer.finish();
}

function decodeSiteModel(bytes: Uint8Array): JointSiteModel {
  const reader = new ModelReader(bytes);
  const learnt = readLearntSite(reader);
  const counted = reader.hashes();
  const dateSlots = { ...reader.hashes(), order: reader.number() };
  if (dateSlots.order > 2) throw new ModelFormatError('the order of dates in the model is unknown');
  const pages = reader.number();
  const kind = Array.from({ length: KIND_NUMBERS }, () => readCount(reader));
  const { low, high } = reader.hashes();
  const counts = new Uint32Array(low.length * SAVED_WORDS);
  for (let word = 0; word < SAVED_WORDS; word++) {
    for (let k = word; k < counts.length; k += SAVED_WORDS) {
      counts[k] = readCount(reader);
    }
  }
  const groups = Array.from({ length: reader.length(2) }, () => {
    const pages = readCount(reader);
    let slot = 0;
    return { pages, slots: Uint32Array.from({ length: reader.length(1) }, () => (slot += reader.number())) };
  });
  reader.end();
  return {
    detector: 'joint',
    ...learnt,
    templates: [],
    evidence: { pages, kind, low, high, counts, groups },
    counted,
    dateSlots,
  };
}

function readCount(reader: ModelReader): number {
  const count = reader.number();
  if (count > 0xffffffff) throw new ModelFormatError('a count in the model is too large');
  return count;
}
