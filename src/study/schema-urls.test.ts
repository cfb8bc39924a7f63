import { expect, test } from 'vitest';
import { SchemaUrls } from './schemas.ts';

test('the pattern of a schema is made of its own URLs', () => {
  const urls = new SchemaUrls([
    { number: 1, pages: 2, leader: 0 },
    { number: 2, pages: 1, leader: 1 },
  ]);
  urls.add(1, 'http://a.example/story/1.html');
  urls.add(2, 'http://a.example/');
  urls.add(1, 'http://a.example/story/2.html');
  expect([urls.patternOf(1), urls.patternOf(2)]).toEqual(['/story/*.html', '/']);
});

test('the pattern of a large schema is made of a sample that does not depend on order', () => {
  // nearly four in five are stories, so the pattern depends on the sample
  const all = Array.from({ length: 5000 }, (_, k) =>
    k % 100 < 79 ? `http://a.example/story/${k}` : `http://a.example/list/${k}`,
  );
  const patternOf = (order: string[]): string => {
    const urls = new SchemaUrls([{ number: 1, pages: order.length, leader: 0 }]);
    for (const url of order) urls.add(1, url);
    return urls.patternOf(1);
  };
  const pattern = patternOf(all);
  expect(['/story/*', '/*/*']).toContain(pattern);
  expect(patternOf([...all].reverse())).toBe(pattern);
  expect(patternOf([...all.slice(1234), ...all.slice(0, 1234)])).toBe(pattern);
});
