import { expect, test } from 'vitest';
import { calibrate } from '../../learn/calibration.ts';
import { fitClassifiers, type TrainingTable } from './fit-classifiers.ts';
import { classifyRow } from './row-scorer.ts';

const WIDTH = 3;

for (const classifier of ['logistic', 'trees'] as const) {
  test(`${classifier}: rows of held-out sites are classified by what other sites show`, async () => {
    const table = makeTable({ sites: 8, rowsPerSite: 60 });
    const { classes, figures, importance } = await fitClassifiers(table, { classifier, areaClasses: 2 });
    expect(classes).toHaveLength(2);
    expect(figures.rows).toBe(480);
    expect(figures.auc).toBeGreaterThan(0.95);
    for (const { figures: own } of classes) expect(own.auc).toBeGreaterThan(0.95);
    // the first feature decides the class, the second is noise, the third is constant
    expect(importance[0]).toBeGreaterThan(0.2);
    expect(Math.abs(importance[1])).toBeLessThan(0.05);
    expect(importance[2]).toBe(0);
  });

  test(`${classifier}: features that are specific to one site do not improve the figures`, async () => {
    // the second feature gives the class away, in a different way on each site
    const table = makeTable({ sites: 6, rowsPerSite: 40, signalOf: 'by site' });
    const { figures } = await fitClassifiers(table, { classifier, areaClasses: 1 });
    expect(figures.auc).toBeLessThan(0.75);
  });

  test(`${classifier}: the same rows give the same classifiers`, async () => {
    const options = { classifier, areaClasses: 2, parts: 3 };
    const table = makeTable({ sites: 5, rowsPerSite: 30 });
    expect(await fitClassifiers(table, options)).toEqual(await fitClassifiers(table, options));
  });
}

test('an area class without rows, or with rows of one class, is trained on all rows', async () => {
  const table = makeTable({ sites: 4, rowsPerSite: 40 });
  table.areaClass.fill(0);
  table.areaClass[0] = 1;
  const { classes } = await fitClassifiers(table, { classifier: 'logistic', areaClasses: 3 });
  const scoreBy = (k: number, value: number) =>
    calibrate(classes[k].calibration, classifyRow(classes[k].classifier, Float32Array.of(value, 0, 1), 0));
  for (const k of [1, 2]) expect(scoreBy(k, 3)).toBeGreaterThan(scoreBy(k, -3));
});

test('scores are calibrated: a score is the share of template among rows with that score', async () => {
  const table = makeTable({ sites: 10, rowsPerSite: 200, noise: 3 });
  const { classes, figures } = await fitClassifiers(table, { classifier: 'logistic', areaClasses: 1 });
  let sure = 0;
  let right = 0;
  for (let row = 0; row < table.classes.length; row++) {
    const score = calibrate(
      classes[0].calibration,
      classifyRow(classes[0].classifier, table.rows, row * WIDTH),
    );
    if (score < 0.7 || score > 0.8) continue;
    sure++;
    right += table.classes[row];
  }
  expect(sure).toBeGreaterThan(50);
  expect(right / sure).toBeGreaterThan(0.62);
  expect(right / sure).toBeLessThan(0.88);
  expect(figures.share).toBeCloseTo(0.5, 1);
});

interface TableOptions {
  sites: number;
  rowsPerSite: number;
  noise?: number;
  signalOf?: 'by site';
}

function makeTable({ sites, rowsPerSite, noise = 0.5, signalOf }: TableOptions): TrainingTable {
  const count = sites * rowsPerSite;
  const table: TrainingTable = {
    width: WIDTH,
    rows: new Float32Array(count * WIDTH),
    classes: new Uint8Array(count),
    weights: new Float64Array(count).fill(1),
    site: new Uint32Array(count),
    siteCount: sites,
    areaClass: new Uint8Array(count),
  };
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  for (let row = 0; row < count; row++) {
    const site = Math.floor(row / rowsPerSite);
    const kind = random() < 0.5 ? 1 : 0;
    table.site[row] = site;
    table.classes[row] = kind;
    table.areaClass[row] = row % 2;
    const signal = signalOf === 'by site' ? 0 : kind - 0.5;
    table.rows[row * WIDTH] = signal * 2 + (random() - 0.5) * 2 * noise;
    table.rows[row * WIDTH + 1] = signalOf === 'by site' ? (site % 2 === 0 ? kind : 1 - kind) : random();
    table.rows[row * WIDTH + 2] = 1;
  }
  return table;
}
