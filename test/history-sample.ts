/** A history for tests: of no capture, with nothing told. */
import type { History } from '../src/store/history/read-history.ts';

export const NO_HISTORY: History = {
  detector: 'dom',
  queryOptions: {},
  snapshots: [],
  smallSnapshots: 'mark',
  snapshotYears: [],
  trends: [],
  siteTrends: [],
  periods: [],
  categoryPeriods: [],
  durationsOverTime: [],
  durations: [],
  durationSummary: [],
  magnitudes: [],
  magnitudeSummary: [],
  templateLives: [],
  redesigns: [],
  leftOut: [],
};
