import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { learn, samplePages } from '../../test/detector-contract.ts';
import type { SiteModel } from './detector.ts';
import { domDetector } from './dom-detector.ts';
import { decodeModelFile, encodeModelFile } from './model-file.ts';
import { noneDetector } from './none-detector.ts';
import { textDetector } from './text-detector.ts';

const pages = samplePages(24);
const models: SiteModel[] = [
  learn(domDetector(), pages),
  learn(textDetector(), pages),
  learn(noneDetector(), pages),
  { ...learn(textDetector({ density: 40 }), pages), site: 'ελλάδα.example' },
];

test('models of several sites and detectors are written to one file and read again', () => {
  const { models: again } = decodeModelFile(encodeModelFile(models));
  expect(again).toHaveLength(4);
  for (const model of models) {
    expect(again.find(({ site, detector }) => site === model.site && detector === model.detector)).toEqual(
      model,
    );
  }
});

test('the order of the models does not matter', () => {
  expect(encodeModelFile([...models].reverse())).toEqual(encodeModelFile(models));
});

test('a file may have no models', () => {
  expect(decodeModelFile(encodeModelFile([]))).toEqual({ models: [], siteRule: 'host' });
});

test('a file names its site rule', () => {
  expect(decodeModelFile(encodeModelFile(models, 'path:1')).siteRule).toBe('path:1');
});

test('files of another format are refused', () => {
  for (const bytes of ['', 'WARC/1.0\r\n', 'PK\u0003\u0004 and then some more bytes']) {
    expect(() => decodeModelFile(Buffer.from(bytes))).toThrow('this is not a model file');
  }
});

test('a file of another version is refused with the version', () => {
  const file = encodeModelFile(models);
  file[8] = 99;
  expect(() => decodeModelFile(file)).toThrow('version 99; this program reads version 5');
});

test('a file that was truncated or changed anywhere is refused', () => {
  const file = encodeModelFile(models);
  for (let i = 0; i < 200; i++) {
    const at = Math.floor((i / 200) * file.length);
    const changed = file.slice();
    changed[at] ^= 0x41;
    expect(() => decodeModelFile(changed)).toThrow(/model file/);
    expect(() => decodeModelFile(file.subarray(0, at))).toThrow(/model file/);
  }
});

test('a file that inflates beyond its limit is refused', () => {
  const file = encodeModelFile([]);
  const bomb = new Uint8Array(17 + 20_000);
  bomb.set(file.subarray(0, 17));
  bomb.set(deflateRawSync(new Uint8Array(10_000_000)), 17);
  expect(() => decodeModelFile(bomb)).toThrow('damaged');
});
