/**
 * Models on disk: the file that `chaff learn` saves and a crawler loads. One file may hold several sites and
 * detectors. It contains only data, nothing in it is executed.
 *
 *     bytes 0–7    "CHAFFMDL"
 *     byte  8      version of this layout
 *     bytes 9–12   length of the body when inflated, little-endian
 *     bytes 13–16  CRC-32 of the inflated body
 *     bytes 17–    the body, deflated: the site rule, the number of models, then for each model the name of
 *                  its detector, a length and its bytes
 *
 * The models are sorted by site and detector, so the same models give the same file in any order.
 */

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { compare } from '../model/order.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import type { DetectorName, SiteModel } from './detector.ts';
import { detectors } from './index.ts';
import { ModelFormatError, ModelReader, ModelWriter } from './model-bytes.ts';

const MAGIC = 'CHAFFMDL';
/** Incremented when the layout of the file or of a model changes. */
const VERSION = 5;
const HEADER_BYTES = 17;
/** Maximum length of an inflated body; guards against files made to fill the memory. */
const MAX_BODY_BYTES = 1 << 30;

/** The contents of a model file. */
export interface ModelFile {
  models: SiteModel[];
  /** Rule that makes the sites of these models; a page is looked up by its site under the same rule. */
  siteRule: SiteRule;
}

/** Encodes models as a file. */
export function encodeModelFile(models: readonly SiteModel[], siteRule: SiteRule = 'host'): Uint8Array {
  const sorted = [...models].sort((a, b) => compare(a.site, b.site) || compare(a.detector, b.detector));
  const writer = new ModelWriter();
  writer.text(siteRule);
  writer.number(sorted.length);
  for (const model of sorted) {
    const bytes = detectors[model.detector]().encode(model);
    writer.text(model.detector);
    writer.number(bytes.length);
    writer.bytes(bytes);
  }
  const body = writer.finish();
  const deflated = deflateRawSync(body, { level: 9 });
  const file = new Uint8Array(HEADER_BYTES + deflated.length);
  const header = new DataView(file.buffer);
  file.set(Buffer.from(MAGIC, 'latin1'));
  header.setUint8(8, VERSION);
  header.setUint32(9, body.length, true);
  header.setUint32(13, crc32(body), true);
  file.set(deflated, HEADER_BYTES);
  return file;
}

/** Reads a model file; throws a ModelFormatError that says what is wrong with it. */
export function decodeModelFile(file: Uint8Array): ModelFile {
  const reader = new ModelReader(inflateBody(file));
  const siteRule = readRule(reader.text());
  const models: SiteModel[] = [];
  for (let rest = reader.length(2); rest > 0; rest--) {
    const name = reader.text();
    if (!Object.hasOwn(detectors, name))
      throw new ModelFormatError(`a model of an unknown detector, "${name}"`);
    models.push(detectors[name as DetectorName]().decode(reader.bytes(reader.length())));
  }
  reader.end();
  return { models, siteRule };
}

function readRule(text: string): SiteRule {
  try {
    return parseSiteRule(text);
  } catch (error) {
    throw new ModelFormatError(`the model file has sites by an unknown rule, "${text}"`, { cause: error });
  }
}

function inflateBody(file: Uint8Array): Uint8Array {
  if (file.length < HEADER_BYTES || Buffer.from(file.subarray(0, 8)).toString('latin1') !== MAGIC) {
    throw new ModelFormatError('this is not a model file');
  }
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = header.getUint8(8);
  if (version !== VERSION) {
    throw new ModelFormatError(
      `the model file has version ${version}; this program reads version ${VERSION}`,
    );
  }
  const length = header.getUint32(9, true);
  if (length > MAX_BODY_BYTES) throw new ModelFormatError('the model file is too large');
  let body: Uint8Array;
  try {
    body = inflateRawSync(file.subarray(HEADER_BYTES), { maxOutputLength: Math.max(1, length) });
  } catch (error) {
    throw new ModelFormatError('the model file is damaged: it does not inflate', { cause: error });
  }
  if (body.length !== length || crc32(body) !== header.getUint32(13, true)) {
    throw new ModelFormatError('the model file is damaged: its checksum is wrong');
  }
  return body;
}
