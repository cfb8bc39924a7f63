/**
 * All pages of several inputs, one after the other. A revisit has the body of its original, whichever input
 * that lies in: at once when it came before, else when all inputs are read. Until then only the places of
 * such revisits are kept.
 */
import type { Location } from '../model/page.ts';
import type { Problem } from '../model/problem.ts';
import type { ReadEvent } from './events.ts';
import type { Input } from './input.ts';
import { readPages, readRevisitAt } from './read-captures.ts';
import type { ReadOptions } from './read-options.ts';
import { RevisitOriginals } from './revisit-originals.ts';

interface Waiting {
  input: Input;
  place: Location;
  /** Faults that reading it again may not meet; the last one is that its original is not at hand. */
  problems?: Problem[];
}

export function* readInputs(inputs: readonly Input[], options: ReadOptions = {}): Generator<ReadEvent> {
  const originals = new RevisitOriginals();
  const waiting: Waiting[] = [];
  for (const input of inputs) {
    for (const event of readPages(input, options, originals)) {
      if (event.kind !== 'skip' || event.code !== 'revisit-unresolved') {
        yield event;
        continue;
      }
      const { file, entry, offset, length } = event.capture;
      const problems = event.problems.length > 1 ? event.problems : undefined;
      waiting.push({ input, place: { file, entry, offset, length }, problems });
    }
  }
  for (const { input, place, problems } of waiting) {
    const event = readRevisitAt(input, place, options, originals);
    if (problems && event.kind === 'page') event.problems = [...problems.slice(0, -1), ...event.problems];
    else if (problems && event.kind === 'skip' && event.code === 'revisit-unresolved')
      event.problems = problems;
    yield event;
  }
}
