/** The columns of a grid, `200px repeat(2, 1fr) auto`, as a list of lengths. */
import { hashName } from '../parse/hashes.ts';
import { isCssSpace, type ValueReader } from './css-values.ts';
import { AUTO } from './lengths.ts';

/** No grid has more columns. */
export const MAX_TRACKS = 24;
/** First of a list of columns: as many as fit, none narrower than the one that follows. */
export const AS_MANY_AS_FIT = -1;

/** Adds to `tracks` how many columns the value has, then each. */
export function readTracks(reader: ValueReader, tracks: number[]): void {
  const at = tracks.length;
  tracks.push(0);
  for (let k = 0; k < 2 * MAX_TRACKS && reader.skipSpace() && tracks.length - at <= MAX_TRACKS; k++) {
    const from = reader.position;
    if (reader.source[from] === BRACKET) {
      // names of lines
      while (reader.position < reader.end && reader.source[reader.position] !== BRACKET_END)
        reader.position++;
      reader.position++;
      continue;
    }
    if (reader.word() === WORD_REPEAT && reader.source[reader.position] === PARENTHESIS) {
      reader.position++;
      readRepeat(reader, tracks, at);
      continue;
    }
    reader.position = from;
    tracks.push(readTrack(reader));
  }
  tracks[at] = Math.min(MAX_TRACKS, tracks.length - at - 1);
}

/** What follows `repeat(`: a number or `auto-fill`, then columns. */
function readRepeat(reader: ValueReader, tracks: number[], at: number): void {
  const times = reader.number();
  if (Number.isNaN(times)) {
    reader.word();
    tracks.push(AS_MANY_AS_FIT);
  }
  if (reader.peek() === COMMA) reader.position++;
  const first = tracks.length;
  while (tracks.length - first < MAX_TRACKS && reader.peek() !== 0 && reader.peek() !== PARENTHESIS_END) {
    tracks.push(readTrack(reader));
  }
  reader.position++;
  const count = tracks.length - first;
  for (let n = 1; n < times && tracks.length - at <= MAX_TRACKS; n++) {
    for (let t = 0; t < count; t++) tracks.push(tracks[first + t]);
  }
}

/** One column: a length, `auto` and other words, `minmax(a, b)` as its share or else its least. */
function readTrack(reader: ValueReader): number {
  const from = reader.position;
  const value = reader.length();
  if (!Number.isNaN(value)) {
    // inside minmax the second length decides when it is a share
    if (reader.peek() === COMMA) {
      reader.position++;
      const most = reader.length();
      if (reader.peek() === PARENTHESIS_END) reader.position++;
      return value > 0 && value < 4e4 ? value : Number.isNaN(most) ? AUTO : most;
    }
    if (reader.source[from] >= 0x61 && reader.peek() === PARENTHESIS_END) reader.position++;
    return value;
  }
  while (
    reader.position < reader.end &&
    !isCssSpace(reader.source[reader.position]) &&
    reader.source[reader.position] !== PARENTHESIS_END
  )
    reader.position++;
  if (reader.position === from) reader.position++;
  return AUTO;
}

const COMMA = 0x2c;
const PARENTHESIS = 0x28;
const PARENTHESIS_END = 0x29;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const WORD_REPEAT = hashName('repeat');
