/**
 * The joint verdict block by block, for viewers and labelling tools: the place of each block, its text, its score and
 * its verdict.
 */
import { urlHashLanes } from '../../analysis/byte-hash.ts';
import * as layout from '../../kernel/block-layout.ts';
import { ROLES, type Role } from '../../model/role.ts';
import type { ParsedPage } from '../detector.ts';
import type { JointSiteModel } from './joint-detector.ts';
import type { JointModel } from './joint-model.ts';
import { BlockJudge } from './judge-blocks.ts';
import { packagedJointModel } from './packaged-joint-model.ts';
import { blockWords } from './read-labelled-pages.ts';
import { SiteEvidence } from './site-evidence.ts';

/** One block with its place in the source, its text, its score and its verdict. */
export interface JudgedBlock {
  /** Byte range of the source, from the first text of the block to its last. */
  start: number;
  end: number;
  /** Number of the innermost element around the block. */
  node: number;
  text: string;
  words: number;
  /** Probability of content. */
  score: number;
  isKept: boolean;
  role?: Role;
}

/** Judges pages of one site and returns their blocks. */
export class SiteBlockJudge {
  readonly #judge: BlockJudge;
  readonly #evidence: SiteEvidence;
  readonly #counted: Set<string>;

  constructor(site: JointSiteModel, model: JointModel = packagedJointModel()) {
    this.#judge = new BlockJudge(model);
    this.#evidence = new SiteEvidence(this.#judge.reader, site.evidence);
    const { low, high } = site.counted;
    this.#counted = new Set(Array.from(low, (lane, k) => `${high[k]} ${lane}`));
  }

  /** The blocks of a page in document order. */
  judge({ page, tree }: Pick<ParsedPage, 'page' | 'tree'>): JudgedBlock[] {
    const { low, high } = urlHashLanes(page.url);
    const isCounted = this.#counted.has(`${high} ${low}`);
    const { blocks, scores, kept, roles } = this.#judge.judge(tree, page.url, this.#evidence, isCounted);
    const { records } = blocks;
    return blockWords(tree, blocks).map((text, block) => {
      const record = block * layout.BLOCK_RECORD_WORDS;
      const role: Role | undefined = ROLES[roles[block] - 1];
      return {
        start: tree.start[records[record + layout.BLOCK_FIRST_TEXT]],
        end: tree.end[records[record + layout.BLOCK_LAST_TEXT]],
        node: records[record + layout.BLOCK_LEAF],
        text: text.replace(/\s+/g, ' ').trim(),
        words: records[record + layout.BLOCK_WORD_COUNT],
        score: Math.round(scores[block] * 10_000) / 10_000,
        isKept: kept[block] === 1,
        ...(role === undefined ? {} : { role }),
      };
    });
  }

  release(): void {
    this.#evidence.release();
    this.#judge.release();
  }
}
