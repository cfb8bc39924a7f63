/**
 * Prevents archives from controlling the terminal. Archived text may hold escape sequences that clear the screen, set
 * the window's title or type for the user, and direction overrides that disguise names. On a terminal all of them
 * become U+FFFD, whatever the command and the format. Files and pipes get the bytes unchanged.
 *
 * Colours and the progress line are sequences of Chaff: they are enclosed in random marks, which no archive can know.
 */
import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import pc from 'picocolors';
import type { Streams } from './streams.ts';

type Stream = Streams['stderr'];

/** C0 except tab and line feed, DEL, C1, and characters that embed, override or isolate a direction. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
const MARK = randomUUID();
const guarded = new WeakSet<Stream>();

/** Replaces streams that are terminals by ones that show control characters instead of obeying them. */
export function guardTerminals({ stdin, stdout, stderr }: Streams): Streams {
  return { stdin, stdout: guardTerminal(stdout), stderr: guardTerminal(stderr) };
}

/** Marks a control sequence of Chaff, which a guarded stream passes on. */
export function ownSequence(stream: Stream, sequence: string): string {
  return guarded.has(stream) ? `${MARK}${sequence}${MARK}` : sequence;
}

function guardTerminal<S extends Stream>(stream: S): S {
  if (!stream.isTTY) return stream;
  const decoder = new StringDecoder('utf8'); // a character may be split between two chunks
  const write = (chunk: string | Uint8Array, done?: (error?: Error | null) => void) =>
    stream.write(shown(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))), done);
  const guard = new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  guarded.add(guard);
  return guard;
}

function shown(text: string): string {
  return text
    .split(MARK)
    .map((part, k) => (k % 2 === 1 ? part : part.replaceAll('\r\n', '\n').replace(CONTROLS, '\u{fffd}')))
    .join('');
}

type Style = 'bold' | 'dim' | 'yellow';

/** Functions that colour text, or return it unchanged if the stream has no colours. */
export function coloursOf(stream: Streams['stderr']): Record<Style, (text: string) => string> {
  const { NO_COLOR, TERM } = process.env;
  const isColoured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
  const colours = pc.createColors(true);
  const paint = (style: Style) => {
    const [before, after] = colours[style]('\n')
      .split('\n')
      .map((code) => ownSequence(stream, code));
    return (text: string) => (isColoured ? `${before}${text}${after}` : text);
  };
  return { bold: paint('bold'), dim: paint('dim'), yellow: paint('yellow') };
}
