/** A history for tests, without captures and with empty tables. */
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
  smallerChanges: [],
  leftOut: [],
};

/** Two sites of three snapshots each, with a redesign. */
export function sampleHistory(): History {
  const days = ['2001-02-01', '2004-02-01', '2009-02-01'];
  return {
    ...NO_HISTORY,
    snapshots: ['example.org', 'site-1.example.net'].flatMap((site) =>
      days.map((day, k) => ({
        site,
        snapshot: day,
        moment: Date.parse(day) / 1000,
        pages: 20,
        links: 0.4 + k / 10,
        html: 0.3,
        text: 0.2,
        links_pooled: 0.4,
        html_pooled: 0.3,
        text_pooled: 0.2,
        small: false,
      })),
    ),
    redesigns: [
      {
        site: 'example.org',
        since: '2001-02-01',
        first: '2004-02-01',
        why: 'words layout',
        confidence: 0.8,
        pages: 12,
        changed: 'words 0.6 layout 0.8 design 0.1',
      },
    ],
  };
}
