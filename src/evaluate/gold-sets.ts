/** Finds gold sets on disk: `NAME.jsonl` with the rows beside `NAME.warc.gz` with the pages. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stemOf } from './extractor-rows.ts';

/** A gold set and its files. */
export interface GoldSet {
  /** Name of the archive without folder and extensions. */
  name: string;
  archive: string;
  gold: string;
}

/**
 * Returns the set of each archive, in the order given; a folder means all archives in it that have gold beside
 * them.
 */
export function findGoldSets(inputs: readonly string[]): GoldSet[] {
  const sets = inputs.flatMap((input) => {
    if (!existsSync(input) || !statSync(input).isDirectory()) return [goldSetOf(input)];
    return readdirSync(input)
      .filter((name) => /\.(warc|arc|wacz)(\.gz|\.zst)?$/.test(name))
      .sort()
      .map((name) => goldSetOf(join(input, name)))
      .filter(({ gold }) => existsSync(gold));
  });
  const lone = sets.find(({ archive, gold }) => archive === gold || !existsSync(gold));
  if (lone) {
    throw new RangeError(
      `there is no ${lone.gold} with gold for ${lone.archive}: name the rows, or measure without gold`,
    );
  }
  return sets;
}

function goldSetOf(archive: string): GoldSet {
  const name = stemOf(archive);
  return { name, archive, gold: join(dirname(archive), `${name}.jsonl`) };
}
