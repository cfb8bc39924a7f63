/**
 * What reads labelled pages for a history. A thread has one for all its tasks, one after the other: texts, words and tags
 * that were met in one task are known in the next, which has the following captures of the same pages. When nobody uses
 * it the collector may take it; what is read does not depend on what is known.
 */
import { PageTags } from '../../analysis/page-tags.ts';
import { PageKeys } from '../../model/page-key.ts';
import { DesignValueReader } from '../../study/design-values.ts';
import { PageValueReader } from '../../study/page-values.ts';
import { RedesignCounter } from '../../study/redesign-sums.ts';

export class HistoryReaders {
  readonly values = new PageValueReader();
  readonly keys = new PageKeys();
  readonly tags = new PageTags();
  readonly designValues = new DesignValueReader();
  readonly counter = new RedesignCounter();
}

let last: WeakRef<HistoryReaders> | undefined;

/** Those of this thread. */
export function historyReaders(): HistoryReaders {
  const readers = last?.deref() ?? new HistoryReaders();
  last = new WeakRef(readers);
  return readers;
}
