/** A history for tests: of no capture, with nothing told. */
import type { History } from '../src/store/history/read-history.ts';

export const NO_HISTORY: History = {
  detector: 'dom',
  snapshots: [],
  snapshotYears: [],
  trends: [],
  siteTrends: [],
  periods: [],
  durationsOverTime: [],
  durations: [],
  durationSummary: [],
  magnitudes: [],
  magnitudeSummary: [],
  templateLives: [],
  redesigns: [],
  leftOut: [],
};
