/** The figures of a history. */
import type { History } from '../../store/history/read-history.ts';
import { changeHistoryFigures } from './change-history-figures.ts';
import type { Figure } from './figure.ts';
import { shareHistoryFigures } from './share-history-figures.ts';

export function historyFigures(history: History): Figure[] {
  return [...shareHistoryFigures(history), ...changeHistoryFigures(history)];
}
