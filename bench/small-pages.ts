/**
 * An archive of very many small pages: each has the menu and footer of its site, a headline and three paragraphs of seeded
 * words, about 2 KB in all. It holds a million captures where the generated sites would take 12 GB, for what grows with
 * the number of captures and not with their bytes.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipMember, httpHeadOf, warcRecord } from '../src/research/generated-sites/write-archive.ts';

const WORDS = Array.from({ length: 4096 }, (_, k) => wordOf(k));
const PARAGRAPHS = 3;
const PARAGRAPH_WORDS = 60;

/** Writes `pages` captures of `sites` sites, in turn, and returns the name of the archive. */
export function writeSmallPages(folder: string, { pages, sites }: { pages: number; sites: number }): string {
  const warc = join(folder, 'small.warc.gz');
  const file = openSync(warc, 'w');
  for (let page = 0; page < pages; page++) writeSync(file, smallPage(page, page % sites));
  closeSync(file);
  return warc;
}

function smallPage(page: number, site: number): Uint8Array {
  let state = (page * 2654435761 + 12345) >>> 0;
  const text = (words: number) => {
    const chosen: string[] = [];
    for (let k = 0; k < words; k++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      chosen.push(WORDS[state >>> 20]);
    }
    return chosen.join(' ');
  };
  const menu = WORDS.slice(site % 4000, (site % 4000) + 12);
  const items = menu.map((word) => `<li><a href="/${word}/">${word}</a></li>`).join('');
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => `<p>${text(PARAGRAPH_WORDS)}.</p>`).join('');
  const html = Buffer.from(
    `<!DOCTYPE html><html><head><title>${text(6)}</title></head><body><nav><ul>${items}</ul></nav>` +
      `<main><h1>${text(6)}</h1>${paragraphs}</main><footer><p>All pages of site ${site} belong to ${menu[0]}.</p></footer></body></html>`,
  );
  const fields: [string, string][] = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Length', String(html.length)],
  ];
  return gzipMember(
    warcRecord(
      {
        type: 'response',
        time: '2024-01-01T00:00:00Z',
        url: `https://site-${site}.example/${menu[1]}/page-${page}.html`,
        contentType: 'application/http; msgtype=response',
      },
      httpHeadOf('200 OK', fields),
      html,
    ),
  );
}

/** A word of two to four syllables; different numbers give different words. */
function wordOf(number: number): string {
  const syllables = ['ka', 'to', 'mi', 're', 'su', 'lan', 'ver', 'do'];
  let word = '';
  for (let rest = number + 8; rest > 0; rest >>>= 3) word += syllables[rest & 7];
  return word;
}
