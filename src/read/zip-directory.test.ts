import { expect, test } from 'vitest';
import { zipOf } from '../../test/sample-archives.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { memorySource } from './byte-source.ts';
import { readZipDirectory, zipEntryData } from './zip-directory.ts';

const entries = [
  { name: 'a.txt', bytes: Buffer.from('first') },
  { name: '../../b.txt', bytes: Buffer.from('second '.repeat(50)), deflate: true },
  { name: 'ü.txt', bytes: Buffer.from('third') },
];

function stored(zip: Uint8Array): string[] {
  const source = memorySource(zip, { windowBytes: 1 });
  const { entries, fault } = readZipDirectory(source);
  expect(fault).toBe('');
  return entries.map((entry) => {
    const data = zipEntryData(source, entry);
    const text = typeof data === 'object' ? Buffer.from(zip.subarray(data.start, data.end)).toString() : '?';
    return `${entry.name} ${entry.method === 0 ? text : entry.sizeBytes}`;
  });
}

const expected = ['a.txt first', '../../b.txt 350', 'ü.txt third'];

test('entries are found with their data', () => {
  expect(stored(zipOf(entries))).toEqual(expected);
});

test('a comment at the end and bytes in front change nothing', () => {
  expect(stored(zipOf(entries, { comment: 'PK\x05\x06 is how it ends' }))).toEqual(expected);
  expect(stored(zipOf(entries, { prefix: '#!/bin/sh\n' }))).toEqual(expected);
});

test('zip64 sizes and offsets are read', () => {
  const zip = zipOf(entries.slice(0, 1));
  const end = zip.length - 22;
  const directory = end - (46 + 5);
  // the entry's sizes and offset move to an extra field, the directory's to a zip64 end record
  const entry = Buffer.from(zip.subarray(directory, end));
  entry.writeUInt32LE(0xffffffff, 20);
  entry.writeUInt32LE(0xffffffff, 24);
  entry.writeUInt32LE(0xffffffff, 42);
  entry.writeUInt16LE(28, 30);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeUInt32LE(5, 4);
  extra.writeUInt32LE(5, 12);
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeUInt32LE(44, 4);
  end64.writeUInt32LE(1, 24);
  end64.writeUInt32LE(1, 32);
  end64.writeUInt32LE(entry.length + extra.length, 40);
  end64.writeUInt32LE(directory, 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeUInt32LE(directory + entry.length + extra.length, 8);
  const plain = Buffer.alloc(22, 0xff);
  plain.write('PK\x05\x06', 'latin1');
  plain.writeUInt16LE(0, 20);
  expect(stored(Buffer.concat([zip.subarray(0, directory), entry, extra, end64, locator, plain]))).toEqual([
    'a.txt first',
  ]);
});

test('without the directory, the entries before the cut are found by their headers', () => {
  const zip = zipOf(entries);
  const source = memorySource(zip.subarray(0, zip.length - 100));
  const { entries: found, fault } = readZipDirectory(source);
  expect(fault).not.toBe('');
  expect(found.map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
});

test('with any damage, reading ends and stays within the file', () => {
  const zip = zipOf(entries);
  const random = seededRandom(3);
  for (let round = 0; round < 3000; round++) {
    const damaged = Buffer.from(
      zip.subarray(0, random() < 0.2 ? Math.floor(random() * zip.length) : zip.length),
    );
    for (let i = 0; i < 4; i++)
      damaged[Math.floor(random() * damaged.length)] = random() < 0.5 ? 255 : Math.floor(random() * 256);
    const source = memorySource(damaged);
    for (const entry of readZipDirectory(source).entries) {
      const data = zipEntryData(source, entry);
      if (typeof data === 'object') expect(data.end).toBeLessThanOrEqual(damaged.length);
    }
  }
});
