import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { timeFromDigits, timeFromIso } from './capture-time.ts';

test('a time is written to the second in UTC, whatever its zone', () => {
  expect(timeFromIso('2009-04-01T12:00:00Z')).toBe('2009-04-01T12:00:00Z');
  expect(timeFromIso('2009-04-01 12:00:00.123Z')).toBe('2009-04-01T12:00:00Z');
  expect(timeFromIso('2009-04-01T01:30:00+02:00')).toBe('2009-03-31T23:30:00Z');
  expect(timeFromIso('2016-12-31T23:59:60Z')).toBe('2016-12-31T23:59:59Z');
});

test('a date without all parts gives its earliest moment', () => {
  expect(timeFromIso('2009')).toBe('2009-01-01T00:00:00Z');
  expect(timeFromIso('2009-04')).toBe('2009-04-01T00:00:00Z');
  expect(timeFromIso('2009-04-02')).toBe('2009-04-02T00:00:00Z');
  expect(timeFromIso('2009-04-02T12:30Z')).toBe('2009-04-02T12:30:00Z');
  expect(timeFromIso('2009-04-02T12:30+01:00')).toBe('2009-04-02T11:30:00Z');
});

test('a time that does not exist is empty', () => {
  for (const text of [
    '',
    '2009-02-29T00:00:00Z',
    '2009-04-01T24:00:00Z',
    '0050-01-01T00:00:00Z',
    '2009-4-1',
    '2009-02-30',
    '2009-04-01T12',
  ]) {
    expect(timeFromIso(text)).toBe('');
  }
  expect(timeFromDigits('20090230000000')).toBe('');
});

test('a time in the plain form is checked like the same time in another form', () => {
  const random = seededRandom(11);
  const digits = (most: number, length: number) =>
    String(Math.floor(random() * (most + 1))).padStart(length, '0');
  const texts = [
    '2000-02-29',
    '1900-02-29',
    '0100-01-01',
    '0099-12-31',
    '9999-12-31',
    '2009-00-10',
    '2009-13-01',
  ]
    .map((day) => `${day}T10:20:30`)
    .concat(['2009-04-01T10:20:3x', '2009-04-01T1 :20:30', '200a-04-01T10:20:30', '2009-04-01T10:20:+1']);
  for (let round = 0; round < 5000; round++) {
    const day = `${digits(2400, 4)}-${digits(14, 2)}-${digits(33, 2)}`;
    texts.push(`${day}T${digits(25, 2)}:${digits(61, 2)}:${digits(61, 2)}`);
  }
  for (const text of texts) expect(timeFromIso(`${text}Z`), text).toBe(timeFromIso(`${text}z`));
});
