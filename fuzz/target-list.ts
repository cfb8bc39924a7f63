/** The list of targets. A new target is a file and a line here. */
import type { Target } from './target.ts';
import { http } from './targets/http.ts';
import { inflate } from './targets/inflate.ts';
import { models } from './targets/models.ts';
import { extractTarget, htmlTarget, markdownTarget, metadataTarget } from './targets/page-views.ts';
import { parserTarget } from './targets/parser.ts';
import { readers } from './targets/readers.ts';
import { rows } from './targets/rows.ts';

/** All targets. */
export const TARGETS: readonly Target[] = [
  readers,
  http,
  rows,
  parserTarget,
  inflate,
  models,
  metadataTarget,
  markdownTarget,
  htmlTarget,
  extractTarget,
];

/** Returns the target with a name; throws a RangeError that lists the names when no target has it. */
export function targetOf(name: string): Target {
  const target = TARGETS.find((one) => one.name === name);
  if (target) return target;
  throw new RangeError(`target must be one of ${TARGETS.map((one) => one.name).join(', ')}, not "${name}"`);
}
