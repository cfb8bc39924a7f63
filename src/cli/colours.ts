/**
 * Colours for the stream that is written to: on a terminal only. A log, a pipe or a build
 * server gets plain text whatever its environment says; NO_COLOR and TERM=dumb do too.
 */
import pc from 'picocolors';
import type { Streams } from './streams.ts';

export function coloursOf(stream: Streams['stderr']): ReturnType<typeof pc.createColors> {
  const { NO_COLOR, TERM } = process.env;
  return pc.createColors(stream.isTTY === true && !NO_COLOR && TERM !== 'dumb');
}
