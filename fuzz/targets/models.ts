/**
 * Tests damaged model files of sites (`CHAFFMDL`) and of single pages (JSON). A file is opened and works, or
 * is refused with a sentence that a user can act on.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ParsedPage } from '../../src/detect/detector.ts';
import { DETECTOR_NAMES, detectors } from '../../src/detect/index.ts';
import { decodeModelFile, encodeModelFile } from '../../src/detect/model-file.ts';
import { PageJudge } from '../../src/detect/page/judge-page.ts';
import { decodePageModel, encodePageModel, packagedPageModel } from '../../src/detect/page/page-model.ts';
import type { Range } from '../../src/model/range.ts';
import { Parser } from '../../src/parse/parser.ts';
import { samplePages } from '../../test/sample-archives.ts';
import { mutate } from '../mutate.ts';
import { BrokenPromise, promise, type Random, type Target } from '../target.ts';
import { damageJson } from './damage-json.ts';
import { rangesTile } from './ranges-tile.ts';

const MAGIC = 'CHAFFMDL';
const HEADER_BYTES = 17;
const SIZE_AT = 9;
const CHECKSUM_AT = 13;
const parser = new Parser();
let siteModels: Buffer | undefined;
let pageModel: string | undefined;

/** The target `models`. */
export const models: Target = {
  name: 'models',
  extension: 'model',

  generate(random) {
    if (random(3)) return Buffer.from(random(8) ? damageJson(random, smallPageModel()) : mutateText(random));
    siteModels ??= makeSiteModels();
    if (random(3) === 0) return mutate(siteModels, random, { tokens: [MAGIC, '\0'] });
    const body = inflateRawSync(siteModels.subarray(HEADER_BYTES));
    return withBody(mutate(body, random, { tokens: ['dom', 'page', '\u0001', 'ÿÿÿÿ'], times: 3 }));
  },

  check(bytes) {
    const isOfSites = Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
    const labelled = withOwnErrors(() => (isOfSites ? labelBySites(bytes) : [judge(bytes)]));
    const sizeBytes = samplePage().tree.source.length;
    for (const ranges of labelled ?? []) {
      promise('an opened model gives ranges that tile the page', rangesTile(ranges, sizeBytes), () =>
        JSON.stringify(ranges.slice(0, 3)),
      );
    }
  },
};

/** Returns null when `open` threw an error with one of our sentences. */
function withOwnErrors(open: () => Range[][]): Range[][] | null {
  try {
    return open();
  } catch (error) {
    const { name, message, code, stack = '' } = error as NodeJS.ErrnoException;
    if (!FROM_ENGINE.test(message) && code === undefined) return null;
    const thrower = /\n\s+at (?:new )?([\w.#<>]+)/.exec(stack)?.[1];
    throw new BrokenPromise(`errors are sentences of ours (${thrower})`, `${name}: ${message}`);
  }
}

/** Matches the wording of V8's own errors. */
const FROM_ENGINE =
  /^(Cannot |Invalid |Maximum |WebAssembly|Offset |Array |Assignment |Class |Reduce )|is not (a function|iterable|defined|a constructor|an object)|out of bounds|\(reading /;

function labelBySites(bytes: Uint8Array): Range[][] {
  const page = samplePage();
  return decodeModelFile(bytes).models.map((model) => detectors[model.detector]().label(page, model));
}

function judge(bytes: Uint8Array): Range[] {
  const model = decodePageModel(Buffer.from(bytes).toString());
  return new PageJudge(model).judge(samplePage()).ranges;
}

function samplePage(): ParsedPage {
  return parsedPages().next().value!;
}

function* parsedPages(): Generator<ParsedPage, undefined> {
  for (const [k, { url, html }] of samplePages(6).entries()) {
    const menu =
      '<div class=menu><a href=/>Home</a> <a href=/about>About this site and its authors</a></div>';
    const source = Buffer.from(html.replace('<body>', `<body>${menu}`));
    const page = {
      file: 'a',
      offset: k,
      length: 1,
      url,
      time: '2020-01-02T03:04:05Z',
      status: 200,
      mime: 'text/html',
      recordId: '',
      payloadDigest: '',
      site: 'site.example.com',
      charset: 'UTF-8',
    };
    yield { page, tree: parser.parse(source) };
  }
}

function makeSiteModels(): Buffer {
  const learnt = DETECTOR_NAMES.map((name) => detectors[name]().learn('site.example.com', parsedPages()));
  return Buffer.from(encodeModelFile(learnt));
}

/** Returns a model file with this body and the size and checksum that belong to it. */
function withBody(body: Uint8Array): Buffer {
  siteModels ??= makeSiteModels();
  const header = Buffer.from(siteModels.subarray(0, HEADER_BYTES));
  header.writeUInt32LE(body.length, SIZE_AT);
  header.writeUInt32LE(crc32(body), CHECKSUM_AT);
  return Buffer.concat([header, deflateRawSync(body)]);
}

/** Returns the packaged model with two small trees for each class, and a linear classifier beside them. */
function smallPageModel(): string {
  if (pageModel !== undefined) return pageModel;
  const model = packagedPageModel();
  const width = model.features.length;
  const plain = JSON.parse(encodePageModel(model));
  const [{ model: trees, calibration }] = plain.classes;
  plain.areaBounds = [20_000];
  plain.classes = [
    {
      kind: 'trees',
      model: { ...trees, features: trees.features.slice(0, 2), numbers: trees.numbers.slice(0, 2) },
      calibration,
    },
    { kind: 'logistic', model: { weights: new Array(width).fill(0.5), bias: 0 }, calibration },
  ];
  for (const [name, values] of Object.entries(plain.lexicon)) {
    if (Array.isArray(values)) plain.lexicon[name] = values.slice(0, 5);
  }
  pageModel = JSON.stringify(plain);
  return pageModel;
}

function mutateText(random: Random): Buffer {
  const tokens = ['null', '[]', '{}', '-1', '1e999', '""', ',', ']'];
  return mutate(Buffer.from(smallPageModel()), random, { tokens });
}
