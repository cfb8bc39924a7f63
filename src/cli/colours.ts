/**
 * Colours for the stream that is written to: on a terminal only. A log, a pipe or a build
 * server gets plain text whatever its environment says; NO_COLOR and TERM=dumb do too.
 */
import pc from 'picocolors';
import type { Streams } from './streams.ts';
import { ownSequence } from './terminal.ts';

type Style = 'bold' | 'dim' | 'yellow';

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
