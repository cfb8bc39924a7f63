/**
 * Exports that read the archive together. An export needs a pass over the pages wherever what it does next depends on
 * all of them: it counts, decides, then writes. Each export asks for its passes alone; the passes of all exports that
 * run are one reading of the archive, in which every page is inflated and parsed once for all visitors. So the
 * archive is read as often as the longest export needs (three times), not as often as all of them together (eight).
 */
import type { FragmentResult, PageVisitor } from './shared-page.ts';

interface WaitingVisitor {
  visit: PageVisitor;
  done: () => void;
  fail: (error: unknown) => void;
}

/** Runs exports side by side; gives their results in order, or throws the first error once all have ended. */
export async function sharePasses<T>(
  result: FragmentResult,
  exports: readonly ((shared: FragmentResult) => Promise<T>)[],
): Promise<T[]> {
  let running = exports.length;
  let waiting: WaitingVisitor[] = [];

  /** Starts a pass when no export is left that could still join it. */
  const startPass = (): void => {
    if (waiting.length === 0 || waiting.length < running) return;
    const visitors = waiting;
    waiting = [];
    const visitAll: PageVisitor = async (page) => {
      for (const { visit } of visitors) await visit(page);
    };
    result.visitPages(visitAll).then(
      () => {
        for (const { done } of visitors) done();
      },
      (error) => {
        for (const { fail } of visitors) fail(error);
      },
    );
  };
  const visitPages = (visit: PageVisitor): Promise<void> =>
    new Promise((done, fail) => {
      waiting.push({ visit, done, fail });
      startPass();
    });
  const settled = await Promise.allSettled(
    exports.map(async (run) => {
      try {
        return await run({ ...result, visitPages });
      } finally {
        running--;
        startPass();
      }
    }),
  );
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}
