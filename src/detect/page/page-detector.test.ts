import { expect, test } from 'vitest';
import { labelOne, learn, samplePages, testDetector } from '../../../test/detector-contract.ts';
import { linkModel } from '../../../test/link-model.ts';
import { pageDetector } from './page-detector.ts';
import { decodePageModel, encodePageModel, packagedPageModel } from './page-model.ts';

testDetector(pageDetector({ model: linkModel() }), 'page', /^page-level score \d\.\d\d/, true);

test('the verdict on a page does not depend on the pages its site was learnt from', () => {
  const detector = pageDetector({ model: linkModel() });
  const pages = samplePages(3);
  const [alone, together] = [learn(detector, []), learn(detector, pages)];
  for (const page of pages)
    expect(labelOne(detector, alone, page)).toEqual(labelOne(detector, together, page));
});

test('a model written and read again is the same text', () => {
  const text = encodePageModel(linkModel());
  expect(encodePageModel(decodePageModel(text))).toBe(text);
});

test('invalid models are refused with the reason', () => {
  const model = JSON.parse(encodePageModel(linkModel()));
  expect(() => decodePageModel('')).toThrow('not JSON');
  expect(() => decodePageModel('{}')).toThrow('no version');
  expect(() => decodePageModel(JSON.stringify({ ...model, version: 99 }))).toThrow('version 99');
  expect(() => decodePageModel(JSON.stringify({ ...model, features: ['x'] }))).toThrow('other features');
  expect(() => decodePageModel(JSON.stringify({ ...model, classes: [] }))).toThrow(
    'classes must have 1 to 65 entries, not 0',
  );
});

test('a site model with a damaged page-level model is refused', () => {
  const detector = pageDetector();
  const sound = learn(pageDetector({ model: linkModel() }), []);
  expect(detector.decode(detector.encode(sound))).toEqual(sound);
  const damaged = { ...sound, pageModel: sound.pageModel.replace('"threshold":0.5', '"threshold":2') };
  expect(() => detector.decode(detector.encode(damaged))).toThrow(
    'its page-level model is damaged: threshold must be a number from 0 to 1, not 2',
  );
});

/** Returns the packaged model as JSON, with a changed value at a path. */
function changed(path: (string | number)[], value: unknown): string {
  const model = JSON.parse(encodePageModel(packagedPageModel()));
  let at = model;
  for (const step of path.slice(0, -1)) at = at[step];
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return JSON.stringify(model);
}

const TREES = ['classes', 0, 'model'];

test.each<[(string | number)[], unknown, string | RegExp]>([
  [['card'], null, 'card must be an object, not null'],
  [['card', 'figures', 'x'], 'y', 'card.figures.x must be a number from -1e+30 to 1e+30, not "y"'],
  [['hideBelow'], undefined, 'hideBelow is missing'],
  [['hideBelow'], -1, 'hideBelow must be a number from 0 to 1000000000000, not -1'],
  [['comment'], 'mine', 'comment is not a known field'],
  [['areaBounds'], [5, 5], 'areaBounds[1] must be above 5, not 5'],
  [['areaBounds'], [5], 'classes must have 2 entries, not 1'],
  [['classes', 0, 'kind'], 'forest', 'classes[0].kind must be "logistic" or "trees", not "forest"'],
  [['classes', 0], 7, 'classes[0] must be an object, not 7'],
  [[...TREES, 'features'], undefined, 'classes[0].model.features is missing'],
  [[...TREES, 'features', 3], 'x', 'classes[0].model.features[3] must be a list, not "x"'],
  [
    [...TREES, 'features', 3, 0],
    -2,
    /^classes\[0\]\.model\.features\[3\]\[0\] must be a whole number from -1 to \d+, not -2$/,
  ],
  [[...TREES, 'numbers', 3, 1], null, 'classes[0].model.numbers[3][1] must be a number'],
  [[...TREES, 'numbers', 3], [1], /model\.numbers\[3\] must have \d+ entries, not 1$/],
  [
    [...TREES, 'features', 3, 60],
    5,
    /model\.features\[3\] must have the \d+ nodes that its splits make, not \d+$/,
  ],
  [[...TREES, 'width'], 9e9, /^classes\[0\]\.model\.width must be \d+, not 9000000000$/],
  [[...TREES, 'gain'], [], /^classes\[0\]\.model\.gain must have \d+ entries, not 0$/],
  [['classes', 0, 'calibration', 'method'], 'magic', 'must be "none" or "platt" or "isotonic", not "magic"'],
  [
    ['classes', 0, 'calibration'],
    { method: 'isotonic', scores: [0.2, 0.2], values: [0, 1] },
    'classes[0].calibration.scores[1] must be above 0.2, not 0.2',
  ],
  [['lexicon', 'weights'], [1], /^lexicon\.weights must have \d+ entries, not 1$/],
  [['lexicon', 'words', 4], {}, 'lexicon.words[4] must be a text, not an object'],
  [['level', 'region', 'share'], '1', 'level.region.share must be a number from 0 to 1, not "1"'],
  [['weighting'], 'two', 'weighting must be "nodes" or "one", not "two"'],
  [['features', 0], { toString: 1 }, 'has other features'],
])('a model damaged at %j is refused with the place and what was expected', (path, value, message) => {
  expect(() => decodePageModel(changed(path, value))).toThrow(message);
});
