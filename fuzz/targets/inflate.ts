/** Raw deflate streams: the WebAssembly kernel and the slow inflater against node:zlib. */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { memorySource } from '../../src/read/byte-source.ts';
import { inflateFrom } from '../../src/read/inflate.ts';
import { InflateKernel } from '../../src/read/inflate-kernel.ts';
import { inflateByZlib } from '../../src/read/inflate-memory.ts';
import { mutate, pick } from '../mutate.ts';
import { promise, type Random, type Target } from '../target.ts';
import { craftedBlock } from './deflate-blocks.ts';

const START_BYTES = 300;
const kernel = new InflateKernel();

export const inflate: Target = {
  name: 'inflate',
  extension: 'deflate',

  generate(random) {
    switch (random(5)) {
      case 0:
        return goodStream(random);
      case 1:
        return craftedBlock(random);
      case 2:
        return mutate(craftedBlock(random), random, { tokens: ['\0', 'ÿ'], times: 2 });
      case 3: // the codes of a block come first
        return flipNearStart(random, goodStream(random));
      default:
        return mutate(goodStream(random), random, { tokens: ['\0\0', 'ÿÿ'], other: goodStream(random) });
    }
  },

  check(stream) {
    const right = byZlib(stream);
    const kernelBytes = kernel.inflate(stream);
    if (kernelBytes) {
      // what it gives up on is left to zlib
      const { bytes, consumedBytes } = kernelBytes;
      promise('the kernel takes no stream that zlib refuses', right !== null, () => `${bytes.length} bytes`);
      promise('the kernel gives the right bytes', right.bytes.equals(bytes), () => `${bytes.length} bytes`);
      promise('the kernel finds the end', right.consumedBytes === consumedBytes, () => `${consumedBytes}`);
    }

    const pieces: Buffer[] = [];
    const end = inflateFrom(memorySource(stream, { windowBytes: 1000 }), 0, (piece) => {
      pieces.push(Buffer.from(piece));
      return true;
    });
    const bytes = Buffer.concat(pieces);
    if (end.status === 'done') {
      promise(
        'the slow inflater takes no stream that zlib refuses',
        right !== null,
        () => `${bytes.length} bytes`,
      );
      promise(
        'the slow inflater gives the right bytes',
        right.bytes.equals(bytes),
        () => `${bytes.length} bytes`,
      );
      const isEnd = right.consumedBytes === end.consumedBytes;
      promise('the slow inflater finds the end', isEnd, () => `${end.consumedBytes}`);
    } else {
      promise('the slow inflater takes every good stream', right === null, () => end.status);
      const start = startByZlib(stream);
      const shared = Math.min(start?.length ?? 0, bytes.length);
      const isPrefix = start === null || start.subarray(0, shared).equals(bytes.subarray(0, shared));
      promise('the slow inflater gives the right start', isPrefix, () => `${bytes.length} bytes`);
    }

    const start = kernel.inflateStart(stream, START_BYTES);
    if (!start) return;
    const isPrefix = Buffer.compare(start.bytes, bytes.subarray(0, start.bytes.length)) === 0;
    promise('a start is what all of it starts with', isPrefix, () => `${start.bytes.length} bytes`);
  },
};

function byZlib(stream: Uint8Array): { bytes: Buffer; consumedBytes: number } | null {
  try {
    const { bytes, consumedBytes } = inflateByZlib(stream);
    return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), consumedBytes };
  } catch {
    return null;
  }
}

/** What a stream that is cut off gives; null when it is damaged before that. */
function startByZlib(stream: Uint8Array): Buffer | null {
  try {
    return inflateRawSync(stream, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
}

function goodStream(random: Random): Buffer {
  const plain = mixture(random, random(random(6) ? 900 : 20_000));
  const strategy = random(5); // zlib's five strategies
  return deflateRawSync(plain, {
    level: random(10),
    strategy,
    windowBits: 9 + random(7),
    memLevel: 1 + random(9),
  });
}

/** Bytes, stretches of them at all distances, and bytes again. */
function mixture(random: Random, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  const alphabet = 1 + random(256);
  for (let at = 0; at < sizeBytes; ) {
    const end = Math.min(sizeBytes, at + 1 + random(300));
    const isCopy = at > 0 && random(10) < 6;
    const distance = 1 + random(random(2) ? at : Math.min(at, 40));
    while (at < end) bytes[at++] = isCopy ? bytes[at - 1 - distance] : random(alphabet);
  }
  return bytes;
}

function flipNearStart(random: Random, stream: Buffer): Buffer {
  const flipped = Buffer.from(stream);
  for (let rest = 1 + random(3); rest > 0 && flipped.length > 0; rest--) {
    flipped[random(Math.min(pick(random, [4, 20, 80]), flipped.length))] ^= 1 << random(8);
  }
  return flipped;
}
