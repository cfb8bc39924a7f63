/**
 * The model of the cross detector: some pages of the site as tokens, with the signatures of their layouts.
 */
import { endianness } from 'node:os';
import { urlHash } from '../../analysis/byte-hash.ts';
import { timeOf } from '../../analysis/choose-arms.ts';
import { LAYOUT_TOKENS, type LayoutTokens } from '../../analysis/layout-signer.ts';
import type { PageTokens } from '../../analysis/page-tokens.ts';
import { compare } from '../../model/order.ts';
import { pageKey } from '../../model/page-key.ts';
import type { SiteModel } from '../detector.ts';
import {
  ModelFormatError,
  ModelReader,
  ModelWriter,
  readLearntSite,
  writeLearntSite,
} from '../model-bytes.ts';
import { SIGNATURE_PLACES } from './cross-settings.ts';

/** A sampled capture as it is stored in a model file. */
export interface NeighbourPage extends PageTokens {
  url: string;
  time: string;
  signature: Uint32Array;
}

/** A sampled capture of a model, with numbers derived from all captures that are not in the file. */
export interface KeptPage extends NeighbourPage {
  /** `pageKey` of its URL, equal for all captures of the page. */
  key: string;
  /** Number of the page by the hash of its key, equal for all captures of the page. */
  number: number;
  /** Time in the form of `timeOf`. */
  timeMs: number;
}

/** Model of a site for the cross detector. */
export interface CrossModel extends SiteModel {
  detector: 'cross';
  /** Kind of layout tokens that the signatures are made of. */
  layoutTokens: LayoutTokens;
  /** Captures in the order of `KeptCaptures`. */
  pages: KeptPage[];
}

/** Numbers the pages of captures as `groups` does, so that ties are resolved in the same way. */
export function numberPages(pages: readonly NeighbourPage[]): KeptPage[] {
  const keys = pages.map(({ url }) => pageKey(url));
  const order = [...new Set(keys)]
    .map((key) => ({ key, hash: urlHash(key) }))
    .sort((a, b) => compare(a.hash, b.hash) || compare(a.key, b.key));
  const numberOf = new Map(order.map(({ key }, number) => [key, number]));
  return pages.map((page, k) => ({
    ...page,
    key: keys[k],
    number: numberOf.get(keys[k])!,
    timeMs: timeOf(page.time),
  }));
}

/** Encodes a model as bytes. */
export function encodeCrossModel(model: CrossModel): Uint8Array {
  const writer = new ModelWriter();
  writeLearntSite(writer, model);
  writer.number(LAYOUT_TOKENS.indexOf(model.layoutTokens));
  writer.number(model.pages.length);
  for (const page of model.pages) {
    writer.text(page.url);
    writer.text(page.time);
    writer.bytes(bytesOf(page.signature));
    writer.number(page.tokens.length);
    writer.bytes(bytesOf(page.tokens));
    writer.number(page.contentLow.length);
    writer.bytes(bytesOf(page.contentLow));
    writer.bytes(bytesOf(page.contentHigh));
    // subtrees are in document order, so the differences are small
    for (let i = 0; i < page.firstToken.length; i++) {
      writer.number(page.firstToken[i] - (i > 0 ? page.firstToken[i - 1] : 0));
      writer.number(page.endToken[i] - page.firstToken[i]);
      writer.number(page.wordCount[i]);
    }
  }
  return writer.finish();
}

/** Decodes a model; throws a ModelFormatError when the bytes are damaged. */
export function decodeCrossModel(bytes: Uint8Array): CrossModel {
  const reader = new ModelReader(bytes);
  const model: CrossModel = {
    detector: 'cross',
    ...readLearntSite(reader),
    templates: [],
    layoutTokens: readLayoutTokens(reader),
    pages: [],
  };
  const pages: NeighbourPage[] = [];
  for (let rest = reader.length(4 * SIGNATURE_PLACES); rest > 0; rest--) pages.push(readPage(reader));
  reader.end();
  model.pages = numberPages(pages);
  return model;
}

function readLayoutTokens(reader: ModelReader): LayoutTokens {
  const tokens = LAYOUT_TOKENS[reader.number()];
  if (tokens === undefined) throw new ModelFormatError('signatures of an unknown kind');
  return tokens;
}

function readPage(reader: ModelReader): NeighbourPage {
  const url = reader.text();
  const time = reader.text();
  const signature = new Uint32Array(readInts(reader, SIGNATURE_PLACES).buffer);
  const tokens = readInts(reader, reader.length(4));
  const nodes = reader.length(11);
  const contentLow = readInts(reader, nodes);
  const contentHigh = readInts(reader, nodes);
  const firstToken = new Int32Array(nodes);
  const endToken = new Int32Array(nodes);
  const wordCount = new Int32Array(nodes);
  for (let i = 0; i < nodes; i++) {
    // checked before they are stored, because a column would wrap numbers that are too large for it
    const first = (i > 0 ? firstToken[i - 1] : 0) + reader.number();
    const end = first + reader.number();
    const words = reader.number();
    if (end > tokens.length || words > end - first) {
      throw new ModelFormatError('a subtree of the model ends beyond its page');
    }
    firstToken[i] = first;
    endToken[i] = end;
    wordCount[i] = words;
  }
  return { url, time, signature, tokens, contentLow, contentHigh, firstToken, endToken, wordCount };
}

/** Little-endian in the file on every machine. */
function bytesOf(numbers: Int32Array | Uint32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32();
}

function readInts(reader: ModelReader, count: number): Int32Array {
  const numbers = new Int32Array(count);
  const bytes = Buffer.from(numbers.buffer);
  bytes.set(reader.bytes(4 * count));
  if (endianness() === 'BE') bytes.swap32();
  return numbers;
}

/**
 * Keeps the captures of a site that a model compares pages with, at most `size`. They are drawn in rounds, so
 * that pages with many captures do not crowd out the others: first one capture of each URL, by the hash of
 * the URL, then a second one of each, and so on. The order of captures within a URL is drawn too, by the hash
 * of URL and time, so that a URL is not always represented by its earliest capture.
 *
 * The rank of a capture is a pair (round, hash of the URL). A URL with n captures has the ranks of rounds 0
 * to n - 1, and more captures only add ranks. So the capture with the last of more than `size` ranks can be
 * dropped at once, and the result does not depend on the order of the captures.
 */

/** Identifies a capture. */
interface CaptureName {
  url: string;
  time: string;
  file: string;
  offset: number;
}

interface Kept<Item> {
  name: CaptureName;
  urlHash: bigint;
  captureHash: bigint;
  round: number;
  item?: Item;
}

/** A bounded set of captures drawn in rounds over the URLs of a site. */
export class KeptCaptures<Item> {
  readonly #size: number;
  /** Ordered by rank. */
  readonly #kept: Kept<Item>[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Considers a capture; `make` is called only when it is kept for now. */
  add(name: CaptureName, make: () => Item): void {
    const { url, time } = name;
    const added: Kept<Item> = {
      name,
      urlHash: urlHash(url),
      captureHash: urlHash(`${url} ${time}`),
      round: 0,
    };
    const kept = this.#kept;
    kept.push(added);
    const ofUrl = kept.filter((one) => one.name.url === url).sort(compareCaptures);
    for (const [round, one] of ofUrl.entries()) one.round = round;
    kept.sort(comparePlaces);
    if (kept.length > this.#size && kept.pop() === added) return;
    added.item = make();
  }

  /** Returns the kept items round by round, smallest URL hash first. */
  items(): Item[] {
    return this.#kept.map(({ item }) => item!);
  }
}

function comparePlaces<Item>(a: Kept<Item>, b: Kept<Item>): number {
  return a.round - b.round || compare(a.urlHash, b.urlHash) || compare(a.name.url, b.name.url);
}

function compareCaptures<Item>(a: Kept<Item>, b: Kept<Item>): number {
  return (
    compare(a.captureHash, b.captureHash) ||
    a.name.offset - b.name.offset ||
    compare(a.name.file, b.name.file)
  );
}
