import { expect, test } from 'vitest';
import { ATTRIBUTE, StartTag } from './layout-attributes.ts';

const tag = new StartTag();
const encoder = new TextEncoder();

function read(html: string): { value: (attribute: number) => string | null; source: Uint8Array } {
  const source = encoder.encode(html);
  tag.read(source, 0, source.length);
  const value = (a: number) =>
    tag.has(a) ? new TextDecoder().decode(source.subarray(tag.start[a], tag.end[a])) : null;
  return { value, source };
}

test('attributes are found in any spelling', () => {
  const { value } = read(`<td  WIDTH=20% data-x='>' open class = "a b"\nstyle='x:"y"'/>`);
  expect(value(ATTRIBUTE.width)).toBe('20%');
  expect(value(ATTRIBUTE.class)).toBe('a b');
  expect(value(ATTRIBUTE.style)).toBe('x:"y"');
  expect(value(ATTRIBUTE.open)).toBe('');
  expect(value(ATTRIBUTE.id)).toBe(null);
});

test('the first of two attributes with one name counts', () => {
  expect(read('<a id=x id=y>').value(ATTRIBUTE.id)).toBe('x');
});

test('numbers are read from their first digit to their last', () => {
  const { source } = read('<img width=" 300px" height=auto size=12%>');
  expect(tag.number(source, ATTRIBUTE.width)).toBe(300);
  expect(tag.number(source, ATTRIBUTE.height)).toBeNaN();
  expect(tag.isPercent(source, ATTRIBUTE.size)).toBe(true);
});

test('a truncated tag is read up to its end', () => {
  expect(read('<a class="x').value(ATTRIBUTE.class)).toBe('x');
  expect(read('<').value(ATTRIBUTE.class)).toBe(null);
});
