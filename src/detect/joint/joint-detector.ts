/**
 * The joint detector, Chaff's own: one verdict on each block of a page (a run of inline text), by what the page alone
 * tells (as Chakrabarti et al. 2007 judge), by what the other pages of the site tell (as Gibson et al. 2005 and Leśniak
 * 2017 count) and by the names of elements. A model trained on labelled pages weighs the evidence; what is not known,
 * on a site of one page for instance, is said to be missing.
 *
 * Learning counts the sampled pages once and scores some of them; it holds their trees. Labelling takes some
 * microseconds for each block. Where most pages of a sample are copies of others, as on a site of one page under many
 * URLs, each text counts once: that a copy says the same does not make its article a template.
 */
import { hashBytes, hashId, urlHashLanes } from '../../analysis/byte-hash.ts';
import { checkChoice, checkNames, checkNumber } from '../../model/check-option.ts';
import type { Range } from '../../model/range.ts';
import { checkRoleChoice, type RoleChoice } from '../../model/role.ts';
import { holdTree, PageArena } from '../../parse/page-arena.ts';
import type { Tree } from '../../parse/tree.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from '../detector.ts';
import { LabellerCache } from '../labeller-cache.ts';
import {
  ByteReader,
  ByteWriter,
  LearntPages,
  ModelFormatError,
  readLearntSite,
  writeLearntSite,
} from '../model-bytes.ts';
import { blockRanges } from './block-ranges.ts';
import { isForumUrl } from './forum-page.ts';
import type { JointModel } from './joint-model.ts';
import { BlockJudge, JUDGE_MODES, type JudgeMode } from './judge-blocks.ts';
import { packagedJointModel } from './packaged-joint-model.ts';
import { type EvidenceColumns, KIND_NUMBERS, SAVED_WORDS, SiteEvidence } from './site-evidence.ts';

export interface JointOptions {
  /** Another model than the package's. */
  model?: JointModel;
  /** Above 1 keeps more, below 1 cuts more, 0.25 to 4. @default 1 */
  dial?: number;
  /** `text` is for reading; `fields` keeps what varies over the pages of a catalogue and cuts long prose. @default 'text' */
  mode?: JudgeMode;
  /** Roles to keep and to leave out, beside what is kept by default: `{ without: ['title'] }`, `{ only: ['comments'] }`. */
  roles?: RoleChoice;
}

export const JOINT_DEFAULTS = { dial: 1, mode: 'text' } as const;

export interface JointSiteModel extends SiteModel {
  detector: 'joint';
  evidence: EvidenceColumns;
  /** Hashes of the URLs whose text was counted, sorted by (high, low). */
  counted: { low: Int32Array; high: Int32Array };
}

/** Sampled pages whose blocks are scored, for the scores of slots. */
const SCORED_PAGES = 64;

export function jointDetector(options: JointOptions = {}): Detector<JointSiteModel> {
  checkNames(options, ['model', 'dial', 'mode', 'roles']);
  const { model, dial, mode, roles = {} } = { ...JOINT_DEFAULTS, ...options };
  checkNumber('dial', dial, { min: 0.25, max: 4 });
  checkChoice('mode', mode, JUDGE_MODES);
  checkNames(roles, ['with', 'without', 'only']);
  checkRoleChoice(roles);
  // made at first use: the list of detectors needs no model
  let made: BlockJudge | undefined;
  const judge = (): BlockJudge => {
    made ??= new BlockJudge(model ?? packagedJointModel(), { dial, mode, roles });
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
    // the scores are counted when all are known: they do not depend on each other
    for (const { url, tree } of counted.slice(0, SCORED_PAGES)) {
      const blocks = judge.reader.read(tree, url);
      evidence.countScores(judge.scoreFirst(tree, blocks, evidence, true));
      evidence.describe(isForumUrl(url));
    }
    return {
      detector: 'joint',
      site,
      pagesLearnt: learnt.count,
      firstTime: learnt.firstTime,
      lastTime: learnt.lastTime,
      templates: [],
      evidence: evidence.save(),
      counted: {
        low: Int32Array.from(sampled, ({ low }) => low),
        high: Int32Array.from(sampled, ({ high }) => high),
      },
    };
  } finally {
    evidence.release();
  }
}

/** All pages; the first of each text where that halves their number. */
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

  constructor(model: JointSiteModel, judge: BlockJudge) {
    if (model.detector !== 'joint')
      throw new TypeError(`expected a model of joint, not of ${model.detector}`);
    this.#judge = judge;
    this.#evidence = new SiteEvidence(judge.reader, model.evidence);
    const { low, high } = model.counted;
    this.#counted = new Set(Array.from(low, (lane, k) => `${high[k]} ${lane}`));
  }

  label({ page, tree }: ParsedPage, context?: LabelContext): Range[] {
    const { low, high } = urlHashLanes(page.url);
    const isCounted = this.#counted.has(`${high} ${low}`);
    return blockRanges(tree, this.#judge.judge(tree, page.url, this.#evidence, isCounted, context));
  }

  release(): void {
    this.#evidence.release();
  }
}

function encodeSiteModel(model: JointSiteModel): Uint8Array {
  const { evidence, counted } = model;
  const writer = new ByteWriter();
  writeLearntSite(writer, model);
  writer.hashes(counted.low, counted.high);
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
  const reader = new ByteReader(bytes);
  const learnt = readLearntSite(reader);
  const counted = reader.hashes();
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
  };
}

function readCount(reader: ByteReader): number {
  const count = reader.number();
  if (count > 0xffffffff) throw new ModelFormatError('a count in the model is too large');
  return count;
}
