/**
 * A page-level model made by hand for tests: a node with most of its text in links is template, in every class of
 * area.
 */
import { FEATURES } from '../src/detect/page/feature-list.ts';
import { HIDE_BELOW } from '../src/detect/page/page-features.ts';
import { AREA_BOUNDS, PAGE_MODEL_VERSION, type PageModel } from '../src/detect/page/page-model.ts';

export function linkModel(): PageModel {
  const column = (name: string, value: number) =>
    FEATURES.map((feature) => (feature.name === name ? value : 0));
  return {
    version: PAGE_MODEL_VERSION,
    features: FEATURES.map(({ name }) => name),
    hideBelow: HIDE_BELOW,
    areaBounds: [...AREA_BOUNDS],
    classes: [0, 1, 2, 3].map(() => ({
      classifier: {
        kind: 'logistic',
        model: { weights: Float64Array.from(column('anchorShare', 8)), bias: -4 },
      },
      calibration: { method: 'none' },
    })),
    lexicon: { words: [], weights: [] },
    penalty: 0.01,
    threshold: 0.5,
    importance: column('anchorShare', 1),
    templateMean: column('anchorShare', 0.8),
    contentMean: column('anchorShare', 0.1),
    card: {
      name: 'links',
      date: '2026-01-01',
      data: 'none: made by hand',
      sites: 0,
      pages: 0,
      rows: 0,
      settings: {},
      figures: {},
      limits: 'for tests',
    },
  };
}
