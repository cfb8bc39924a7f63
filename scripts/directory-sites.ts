/**
 * Generated sites on which the package's model is weak, with the true label of every byte: directories. What such a page says
 * itself is a list of links with a few words on each, which looks like a menu; beside it are paragraphs of advertising that no
 * other page has, which look like content. Sites differ in names, order and markup.
 */
import type { TruthRange } from '../src/research/generated-sites/label-writer.ts';
import { seededRandom } from '../test/seeded-random.ts';

export interface DirectoryPage {
  url: string;
  time: string;
  html: string;
  truth: TruthRange[];
}

const SYLLABLES = 'ba be bi co da del en fo ga ha in jo ka la ma ner or pa re sa ta ur vi wo za'.split(' ');
const STYLES = [
  { list: ['ul', 'li'], entries: 'entries', spot: 'promo-text', first: true },
  { list: ['div', 'p'], entries: 'results', spot: 'article', first: false },
  { list: ['dl', 'dd'], entries: 'links', spot: 'body-copy', first: true },
  { list: ['table', 'tr'], entries: 'grid', spot: 'post', first: false },
] as const;

export function* directorySites({
  sites,
  pages,
  seed,
}: {
  sites: number;
  pages: number;
  seed: number;
}): Generator<DirectoryPage> {
  for (let site = 0; site < sites; site++) {
    const host = `http://directory${site}.example`;
    const random = seededRandom(1000 * seed + site);
    const menu = Array.from({ length: 8 }, () => words(random, 1));
    const notice = words(random, 25);
    for (let page = 0; page < pages; page++) {
      const writer = new PageWriter();
      writePage(writer, { random, style: STYLES[site % STYLES.length], menu, notice });
      yield { url: `${host}/topic/${page}.html`, time: '2024-05-01T00:00:00Z', ...writer };
    }
  }
}

function writePage(
  out: PageWriter,
  {
    random,
    style,
    menu,
    notice,
  }: { random: () => number; style: (typeof STYLES)[number]; menu: string[]; notice: string },
): void {
  const { list, entries, spot, first } = style;
  const topic = words(random, 3);
  out.add('frame', `<!DOCTYPE html><html><head><title>${topic}</title></head><body>`);
  out.add(
    'template',
    `<div class="top">${menu.map((word) => `<a href="/${word}">${word}</a> `).join('')}</div>`,
  );
  const advertising = () => {
    for (let k = 0; k < 2; k++)
      out.add('template', `<div class="${spot}"><p>${words(random, 45)}.</p></div>`);
  };
  out.add('content', `<h1>${topic}</h1>`);
  if (!first) advertising();
  out.add('frame', `<${list[0]} class="${entries}">`);
  const cell =
    list[1] === 'tr'
      ? (text: string) => `<tr><td>${text}</td></tr>`
      : (text: string) => `<${list[1]}>${text}</${list[1]}>`;
  for (let k = 0; k < 14; k++) {
    const name = words(random, 2);
    out.add(
      'content',
      cell(
        `<a href="/go/${name.replace(' ', '-')}">${name}</a> ${words(random, 4 + Math.floor(4 * random()))}`,
      ),
    );
  }
  out.add('frame', `</${list[0]}>`);
  if (first) advertising();
  out.add('template', `<div class="bottom"><p>${notice}</p></div>`);
  out.add('frame', '</body></html>');
}

function words(random: () => number, count: number): string {
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)];
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + Math.floor(2 * random()) }, syllable).join(''),
  ).join(' ');
}

class PageWriter {
  html = '';
  readonly truth: TruthRange[] = [];

  add(label: TruthRange['label'], text: string): void {
    const start = Buffer.byteLength(this.html);
    this.html += text;
    this.truth.push({ start, end: start + Buffer.byteLength(text), label });
  }
}
