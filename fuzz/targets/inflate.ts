/** Tests raw deflate streams: the kernel, whole and in pieces, must agree with node:zlib. */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { memorySource } from '../../src/read/byte-source.ts';
import { InflateMemory } from '../../src/read/inflate-stream.ts';
import { mutate, pick } from '../mutate.ts';
import { promise, type Random, type Target } from '../target.ts';
import { craftedBlock } from './deflate-blocks.ts';

const START_BYTES = 300;
const memories = [new InflateMemory(), new InflateMemory(1000)];

/** The target `inflate`. */
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
      case 3: // the codes of a block are at its start
        return flipNearStart(random, goodStream(random));
      default:
        return mutate(goodStream(random), random, { tokens: ['\0\0', 'ÿÿ'], other: goodStream(random) });
    }
  },

  check(stream) {
    const right = byZlib(stream);
    for (const memory of memories) {
      const pieces: Buffer[] = [];
      const end = memory.inflate(memorySource(stream, { windowBytes: 1000 }), 0, (piece) => {
        pieces.push(Buffer.from(piece));
        return true;
      });
      const bytes = Buffer.concat(pieces);
      const size = () => `${bytes.length} bytes, ${end.status}`;
      if (end.status === 'done') {
        promise('no stream that zlib refuses is accepted', right !== null, size);
        promise('the bytes are right', right.bytes.equals(bytes), size);
        promise('the end is found', right.consumedBytes === end.consumedBytes, () => `${end.consumedBytes}`);
      } else {
        promise('every valid stream is accepted', right === null, size);
        const start = startByZlib(stream);
        const shared = Math.min(start?.length ?? 0, bytes.length);
        const isPrefix = start === null || start.subarray(0, shared).equals(bytes.subarray(0, shared));
        promise('the start is right', isPrefix, size);
      }

      const start = memory.inflateStart(stream, START_BYTES).bytes;
      const isPrefix = bytes.subarray(0, start.length).equals(start);
      promise('the start of a stream is a prefix of its content', isPrefix, () => `${start.length} bytes`);
    }
  },
};

function byZlib(stream: Uint8Array): { bytes: Buffer; consumedBytes: number } | null {
  try {
    const { buffer, engine } = inflateRawSync(stream, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, consumedBytes: engine.bytesWritten };
  } catch {
    return null;
  }
}

/** Returns what zlib decodes of a truncated stream; null when it is damaged before its end. */
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

/** Returns random bytes mixed with copies of earlier spans at all distances. */
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
