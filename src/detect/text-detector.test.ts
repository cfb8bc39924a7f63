import { expect, test } from 'vitest';
import {
  labelOne,
  learn,
  makePage,
  parsePage,
  samplePages,
  testDetector,
  words,
} from '../../test/detector-contract.ts';
import type { Page } from '../model/page.ts';
import { textDetector } from './text-detector.ts';
import { formatTextSettings, parseTextSettings } from './text-settings.ts';

testDetector(textDetector());
testDetector(textDetector(parseTextSettings('32.10.40.200')), 'text 32.10.40.200');

/** Returns the source of each template range, with white space collapsed. */
function templateTexts(page: Page, options = {}, pages: readonly Page[] = samplePages(24)): string[] {
  const detector = textDetector(options);
  return labelOne(detector, learn(detector, pages), page)
    .filter(({ label }) => label === 'template')
    .map(({ start, end }) => Buffer.from(page.source.subarray(start, end)).toString().replace(/\s+/g, ' '));
}

test('settings have the notation of the paper', () => {
  expect(parseTextSettings('32.10.40.200')).toEqual({
    windowCharacters: 32,
    frequency: 10,
    density: 40,
    samplePages: 200,
  });
  expect(formatTextSettings()).toBe('32.10.0.200');
  expect(formatTextSettings(parseTextSettings('64.5.3.100'))).toBe('64.5.3.100');
});

test('invalid settings are refused by name', () => {
  expect(() => parseTextSettings('32.10.40')).toThrow('W.F.D.P');
  expect(() => parseTextSettings('32.10.x.200')).toThrow('not "32.10.x.200"');
  expect(() => parseTextSettings('2.10.0.200')).toThrow('windowCharacters (W)');
  expect(() => parseTextSettings('32.1.0.200')).toThrow('frequency (F)');
  expect(() => parseTextSettings('32.10.5000.200')).toThrow('density (D)');
  expect(() => parseTextSettings('32.300.0.200')).toThrow('must not exceed');
  expect(() => textDetector({ window: 3 } as object)).toThrow('unknown option "window"');
});

test('the menu and the footer are template, with the markup between their texts', () => {
  const [page] = samplePages(1);
  const [menu, footer, ...rest] = templateTexts(page);
  expect(rest).toEqual([]);
  expect(menu.startsWith('Home of the sample</a></li><li><a')).toBe(true);
  expect(menu.endsWith('隐私政策说明')).toBe(true);
  expect(footer).toBe('Copyright 2011 A. Example &amp; Sons, all rights reserved 🌲 everywhere.');
});

test('on non-ASCII text, the source sliced at a range is the expected text', () => {
  for (const menu of [
    'Όλες οι ειδήσεις της ημέρας και όλα τα νέα',
    '网站地图与联系方式以及版权信息和隐私政策说明网站地图与联系方式以及版权信息',
    '🌲🌳🌴 parks and gardens 🌲🌳🌴 of the world 🌵',
  ]) {
    const pages = Array.from({ length: 12 }, (_, i) =>
      makePage(`<p>${words(9, i)}</p><div>${menu}</div><p>${words(9, i + 50)}</p>`, i),
    );
    for (const page of pages) expect(templateTexts(page, {}, pages)).toEqual([menu]);
  }
});

test('W counts characters, not bytes', () => {
  const pages = (text: string) =>
    Array.from({ length: 12 }, (_, i) =>
      makePage(`<p>${words(9, i)}</p><div>${text}</div><p>${words(9, i + 50)}</p>`, i),
    );
  const short = pages('网站地图与联系方式以及版权信息和'); // 16 characters, 48 bytes
  expect(templateTexts(short[0], {}, short)).toEqual([]);
  expect(templateTexts(short[0], { windowCharacters: 16 }, short)).toHaveLength(1);
});

test('a text on F pages is template; F is lower on a site with fewer than P pages', () => {
  const shared = 'a sentence that is shared by some pages of the site';
  const pages = (sharing: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      makePage(
        `<p>${words(20, i)}</p>${i < sharing ? `<p>${shared}</p>` : ''}<p>${words(5, i + 500)}</p>`,
        i,
      ),
    );
  expect(templateTexts(pages(9, 200)[0], {}, pages(9, 200))).toEqual([]);
  expect(templateTexts(pages(10, 200)[0], {}, pages(10, 200))).toEqual([shared]);
  expect(templateTexts(pages(4, 100)[0], {}, pages(4, 100))).toEqual([]);
  expect(templateTexts(pages(5, 100)[0], {}, pages(5, 100))).toEqual([shared]);
  expect(templateTexts(pages(2, 20)[0], {}, pages(2, 20))).toEqual([]);
  expect(templateTexts(pages(3, 20)[0], {}, pages(3, 20))).toEqual([shared]);
  expect(templateTexts(pages(9, 100)[0], { scaleFrequency: false }, pages(9, 100))).toEqual([]);
});

test('a text repeated within one page counts as one page', () => {
  const pages = Array.from({ length: 20 }, (_, i) =>
    makePage(
      `<p>${words(30, i)}</p>${i === 0 ? '<p>the very same sentence again and again and again</p>'.repeat(12) : ''}`,
      i,
    ),
  );
  expect(templateTexts(pages[0], {}, pages)).toEqual([]);
});

test('with D > 0 the gap between two kept fragments is template when its text is always the same', () => {
  const fixed = words(60, 1).replace(/[^ -~]/g, 'x');
  const pages = Array.from({ length: 200 }, (_, i) =>
    makePage(`<p>${words(30, i + 9)}</p><p>${fixed}</p><p>${words(30, i + 900)}</p>`, i),
  );
  const whole = templateTexts(pages[3], parseTextSettings('32.10.40.200'), pages);
  expect(whole).toHaveLength(1);
  expect(fixed).toContain(whole[0]);
  expect(whole[0].length).toBeGreaterThan(fixed.length * 0.6);
});

test('with D > 0 changing text between two kept fragments stays content', () => {
  const [before, after] = [words(40, 1), words(40, 2)].map((text) => text.replace(/[^ -~]/g, 'x'));
  const pages = Array.from({ length: 200 }, (_, i) =>
    makePage(`<p>${before} ${words(3, i + 50)} ${after}</p>`, i),
  );
  for (const page of pages.slice(0, 20)) {
    const changing = words(3, Number(page.url.split('/').pop()) + 50);
    for (const text of templateTexts(page, parseTextSettings('32.10.40.200'), pages))
      expect(text).not.toContain(changing);
  }
});

test('no template begins or ends within a word', () => {
  const pages = Array.from({ length: 40 }, (_, i) =>
    makePage(
      `<p>${words(9, i)}</p><p>an introduction that all of the pages share by An${['dreas', 'na', 'gelos', 'ton'][i % 4]}${'abcdefghij'[i % 10]} ${words(3, i + 700)}</p>`,
      i,
    ),
  );
  for (const page of pages)
    expect(templateTexts(page, {}, pages)).toEqual(['an introduction that all of the pages share by']);
  expect(templateTexts(pages[0], { wholeWords: false }, pages).join('')).toMatch(/by ?An/);
});

test('a sentence keeps its full stop', () => {
  const shared = 'Leave a reply or read the rules of this house';
  const pages = Array.from({ length: 40 }, (_, i) =>
    makePage(`<p>${words(9, i)}.</p><p>${shared}</p><p>${words(9, i + 90)}</p>`, i),
  );
  for (const page of pages) expect(templateTexts(page, {}, pages)).toEqual([shared]);
  expect(templateTexts(pages[0], { wholeWords: false }, pages).join('')).toContain(`.</p><p>${shared}`);
});

test('the reason of a span that no sampled page has as a whole says so', () => {
  const pages = samplePages(24);
  const detector = textDetector();
  const model = learn(detector, pages);
  const menu = /<div class="menu">.*?<\/div>/s.exec(Buffer.from(pages[0].source).toString())![0];
  const page = makePage(
    `<p>new</p>${menu.replace('Home of the sample', 'Κάτι άλλο')}<p>${words(9, 77)}</p>`,
    99,
  );
  const reasons = labelOne(detector, model, page).map(({ reason }) => reason);
  expect(reasons).toContain('its parts on at least 24 of 24 pages');
  expect(labelOne(detector, model, pages[0]).map(({ reason }) => reason)).toContain('on 24 of 24 pages');
});

test('a model of another detector is refused', () => {
  const detector = textDetector();
  const model = { ...learn(detector, []), detector: 'dom' };
  expect(() => detector.label(parsePage(samplePages(1)[0]), model as never)).toThrow(
    'expected a model of text',
  );
});

test('F counts pages, or occurrences as in the paper', () => {
  const refrain = 'this line is sung ten times on one page of the site';
  const pages = Array.from({ length: 20 }, (_, i) =>
    makePage(`<p>${words(9, i)}</p>${i === 3 ? `<p>${refrain}</p><hr>`.repeat(10) : ''}`, i),
  );
  const exact = { wholeWords: false, scaleFrequency: false };
  expect(templateTexts(pages[3], exact, pages)).toEqual([]);
  const found = templateTexts(pages[3], { ...exact, count: 'occurrences', cut: 'none' }, pages);
  // windows of one line touch those of the next
  expect(found).toEqual([Array(10).fill(refrain).join('</p><hr><p>')]);
});
