import { expect, test } from 'vitest';
import type { Page } from '../../model/page.ts';
import { Parser } from '../../parse/parser.ts';
import { renderText } from '../../view/visible-text.ts';
import { jointDetector } from './joint-detector.ts';

const TOPICS = ['harbour', 'orchard', 'library', 'station', 'bakery', 'garden', 'theatre', 'market'];
const HEADLINES = [
  'Why it closed',
  'Apples for all',
  'A million books',
  'Trains run again',
  'Bread rises',
  'Roses return',
  'Curtain falls',
  'Traders move',
];
const headlineOf = (topic: string) => `${HEADLINES[TOPICS.indexOf(topic)] ?? 'Knights wanted'}: ${topic}`;
const parser = new Parser();
const detector = jointDetector();

const article = (topic: string) =>
  `<article><h1 class="headline">${headlineOf(topic)}</h1>${[1, 2, 3]
    .map(
      (k) =>
        `<p>For ${k} years the ${topic} of the town was open until ten, and many people came there after work, as the mayor of the ${topic} quarter said.</p>`,
    )
    .join('')}</article>`;

function page(k: number, below = '') {
  const topic = TOPICS[k];
  const html = `<title>${headlineOf(topic)} - Town news</title><nav><a href=/>Home</a></nav>${article(topic)}${below}<footer>Town news</footer>`;
  const info = { url: `https://town.example/${topic}`, time: '', site: 'town.example' } as Omit<
    Page,
    'source'
  >;
  return { page: info, tree: parser.parse(new TextEncoder().encode(html)) };
}

/** The text and the reasons of the first page with another article below its own. */
function judge(other: string) {
  const below = article(other);
  const pages = TOPICS.map((_, k) => () => page(k, k === 0 ? below : ''));
  const model = detector.learn(
    'town.example',
    (function* () {
      for (const parsed of pages) yield parsed();
    })(),
  );
  const ranges = detector.label(pages[0](), model);
  return { text: renderText(pages[0]().tree, ranges), reasons: ranges.map(({ reason }) => reason).join() };
}

test('an article below the own one that is another page of the site is left out', () => {
  const { text, reasons } = judge('market');
  expect(text).toContain('harbour quarter');
  expect(text).not.toContain('market');
  expect(reasons).toContain('below the headline of another page');
});

test('a second article that no other page has stays', () => {
  expect(judge('castle').text).toContain('castle quarter');
});
