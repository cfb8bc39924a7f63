/**
 * Measures training and scoring of the classifiers of the page detector on generated rows.
 *
 *     npx tsx bench/classifiers.bench.ts [--rows 300000] [--features 60] [--trees 200] [--depth 5]
 *
 * Half of the features are zero in seven rows of ten, like those of pages. Figures are the CPU time of one
 * training each, and of a score, the minimum of five rounds.
 */
import { parseArgs } from 'node:util';
import { encodeBoostedTrees, scoreTrees } from '../src/learn/boosted-trees.ts';
import { scoreLinear, trainLogistic } from '../src/learn/logistic-regression.ts';
import { trainBoostedTrees } from '../src/learn/train-boosted-trees.ts';
import type { WeightedSet } from '../src/learn/weighted-set.ts';
import { markdownTable } from './doc-part.ts';
import { count, figure, machine } from './performance-doc.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    features: { type: 'string', default: '60' },
    trees: { type: 'string', default: '200' },
    depth: { type: 'string', default: '5' },
  },
});
const trees = Number(values.trees);
const depth = Number(values.depth);
const set = makeRows(Number(values.rows), Number(values.features));

const [line, lineSeconds] = timed(() => trainLogistic(set));
const [forest, forestSeconds] = timed(() => trainBoostedTrees(set, { trees, depth, leaves: 2 ** depth }));
const kilobytes = JSON.stringify(encodeBoostedTrees(forest)).length / 1000;
console.log(`${machine()}\n\n${count(set.classes.length)} rows of ${set.width} features\n`);
console.log(
  markdownTable(
    ['', 's to train', 'µs a score'],
    [
      ['logistic regression', figure(lineSeconds), figure(scoreMicroseconds(line, scoreLinear))],
      [
        `${trees} trees of depth ${depth}, ${figure(kilobytes)} kB`,
        figure(forestSeconds),
        figure(scoreMicroseconds(forest, scoreTrees)),
      ],
    ],
  ),
);

function timed<Result>(work: () => Result): [result: Result, cpuSeconds: number] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}

function scoreMicroseconds<Model>(
  model: Model,
  score: (model: Model, rows: Float32Array, offset: number) => number,
): number {
  const scored = Math.min(20_000, set.classes.length);
  let least = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let round = 0; round < 5; round++) {
    const [, seconds] = timed(() => {
      for (let row = 0; row < scored; row++) sum += score(model, set.rows, row * set.width);
    });
    least = Math.min(least, (1e6 * seconds) / scored);
  }
  if (!Number.isFinite(sum)) throw new Error('a score is not a number');
  return least;
}

function makeRows(rowCount: number, width: number): WeightedSet {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const rows = new Float32Array(rowCount * width);
  const classes = new Uint8Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    let logOdds = 0;
    for (let i = 0; i < width; i++) {
      const value = random();
      rows[row * width + i] = i % 2 === 1 ? value * (i + 1) : value > 0.7 ? value : 0;
      logOdds += (value - 0.5) * ((i % 7) - 3) + (i % 10 === 0 && value > 0.8 ? 1 : 0);
    }
    classes[row] = random() < 1 / (1 + Math.exp(-logOdds)) ? 1 : 0;
  }
  return { rows, width, classes, weights: new Float64Array(rowCount).fill(1) };
}
