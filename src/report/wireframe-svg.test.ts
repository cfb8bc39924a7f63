import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { sampleWireframe } from '../../test/report-sample.ts';
import { renderWireframe } from './wireframe-svg.ts';

test('header, menu, content and footer are named and shaded by the share of pages', () => {
  const svg = renderWireframe(sampleWireframe('a.example', 1), 220);
  const names = [...svg.matchAll(/<text class="([\w-]+)"[^>]*>([^<]+)</g)].map(
    ([, look, name]) => `${name} ${look}`,
  );
  expect(names.sort()).toEqual(['content own', 'footer on-f4', 'header on-f4', 'menu on-f5']);
  expect(svg).toContain('class="box f5"');
  expect(svg).toContain('class="box own"');
});

test('text from pages is escaped', () => {
  const svg = renderWireframe(sampleWireframe('a.example', 1, '"><script>alert(1)</script>'), 220);
  expect(svg).not.toContain('<script');
  parse(`<!DOCTYPE html>${svg}`, { onParseError: (error) => expect.fail(error.code) });
});

test('boxes stay on the sheet, however long the page', () => {
  const page = { ...sampleWireframe('a.example', 1), height: 90_000 };
  page.boxes = [{ role: 'footer', pages: 1, left: 1270, top: 89_990, width: 900, height: 400 }];
  const [, x, y, width, height] =
    /class="box \w+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/
      .exec(renderWireframe(page, 10))!
      .map(Number);
  expect(x + width).toBeLessThanOrEqual(160.1);
  expect(y + height).toBeLessThanOrEqual(130.1);
});
