/**
 * Reads the figures of shared fragments for report.html from the tables in `fragments/`: sums, the classes that
 * save the most bytes, and the four distributions of Ma and Gu's Figure 3.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompressionFigures } from '../../fragments/dictionary/measure.ts';
import { type FragmentClass, RELATIONS, type Relation } from '../../fragments/shared-page.ts';
import type { SharedCounts } from '../run-file.ts';
import { CLASSES_FILE, type Distribution, FragmentFolder } from './fragment-folder.ts';

export type { Distribution } from './fragment-folder.ts';

/** Totals of the fragments of one relation. */
type RelationFigures = Omit<SharedCounts, 'meanShare'> & { relation: Relation };

/** Figures of an analysis of shared fragments. */
export interface FragmentFigures {
  sites: number;
  pages: number;
  htmlBytes: number;
  relations: RelationFigures[];
  /** Classes of each relation that save the most bytes. */
  classes: FragmentClass[];
  /** Classes by number of members and by average size; pages by number of fragments and by shared percentage. */
  members: Distribution[];
  sizes: Distribution[];
  fragments: Distribution[];
  shares: Distribution[];
  /** Compression with a dictionary, if one was made. */
  compression?: CompressionFigures;
}

/** Folder of the tables within an output folder. */
const FRAGMENTS = 'fragments';
const COMPRESSION_FILE = 'compression.json';
const MAX_CLASSES = 200;

/** True when an output folder has an analysis of shared fragments. */
export function hasFragments(folder: string): boolean {
  return existsSync(join(folder, FRAGMENTS, CLASSES_FILE));
}

/** Reads the figures of an output folder; relations that were not analysed are absent. */
export async function readFragmentFigures(
  path: string,
  { relations = RELATIONS, limit = MAX_CLASSES }: { relations?: readonly Relation[]; limit?: number } = {},
): Promise<FragmentFigures> {
  const folder = await FragmentFolder.open(join(path, FRAGMENTS));
  try {
    const figures: FragmentFigures = {
      ...(await folder.countPages()),
      relations: [],
      classes: [],
      members: [],
      sizes: [],
      fragments: [],
      shares: [],
      ...readCompression(path),
    };
    for (const relation of relations) {
      figures.relations.push({ relation, ...(await folder.count(relation)) });
      figures.classes.push(...(await folder.classes({ relation, limit })));
      figures.members.push(await folder.distribution(relation, 'classes', 'members'));
      figures.sizes.push(await folder.distribution(relation, 'classes', 'round(avg_complete_bytes)'));
      figures.fragments.push(await folder.distribution(relation, 'pages', `${relation}_fragments`));
      // round to a tenth of a percent, which is finer than can be seen
      const share = `round(1000 * least(1, ${relation}_share)) / 10`;
      figures.shares.push(await folder.distribution(relation, 'pages', share));
    }
    return figures;
  } finally {
    folder.close();
  }
}

function readCompression(folder: string): { compression?: CompressionFigures } {
  const path = join(folder, FRAGMENTS, COMPRESSION_FILE);
  return existsSync(path)
    ? { compression: JSON.parse(readFileSync(path, 'utf8')) as CompressionFigures }
    : {};
}
