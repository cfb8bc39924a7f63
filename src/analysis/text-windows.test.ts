import { expect, test } from 'vitest';
import { hashWindow } from '../../test/hash-window.ts';
import { Kernel } from '../kernel/kernel.ts';
import { kernelModule } from '../kernel/thread-kernel.ts';
import { KernelTexts, TextWindows } from './text-windows.ts';

interface Window {
  start: number;
  end: number;
  low: number;
  high: number;
}

function fastWindows(text: Uint8Array, width: number, density: number): Window[] {
  const windows = new TextWindows(width, density);
  const found = [...windows.list(text)];
  windows.release();
  return found;
}

/** The slow definition: every window from its characters, with the modulus by division. */
function plainWindows(text: string, width: number, density: number): Window[] {
  const characters = [...text];
  const found: Window[] = [];
  let start = 0;
  for (let i = 0; i + width <= characters.length; i++) {
    const inside = characters.slice(i, i + width);
    const { low, high } = hashWindow(inside.map((character) => character.codePointAt(0)!));
    const end = start + Buffer.byteLength(inside.join(''));
    if (density === 0 || (low >>> 0) % density === 0) found.push({ start, end, low, high });
    start += Buffer.byteLength(characters[i]);
  }
  return found;
}

function randomText(alphabet: string, length: number, seed: number): string {
  const letters = [...alphabet];
  let state = seed | 1;
  let text = '';
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    text += letters[(state >>> 0) % letters.length];
  }
  return text;
}

const alphabets = ['ab', 'abcdefgh ijkl', 'αβγδε abc', '网页模板检测', 'a😀é語b'];

for (const density of [0, 1, 3, 8, 40, 200]) {
  test(`gives the windows of the slow definition with D = ${density}`, () => {
    for (const [index, alphabet] of alphabets.entries()) {
      for (const width of [4, 5, 32]) {
        const text = randomText(alphabet, 3000, index * 100 + width);
        expect(fastWindows(Buffer.from(text), width, density)).toEqual(plainWindows(text, width, density));
      }
    }
  });
}

test('a text shorter than the window has no window, one of equal length has one', () => {
  expect(fastWindows(Buffer.from('abc'), 4, 0)).toEqual([]);
  expect(fastWindows(Buffer.from('αβγ'), 4, 0)).toEqual([]);
  expect(fastWindows(new Uint8Array(0), 4, 0)).toEqual([]);
  expect(fastWindows(Buffer.from('abcd'), 4, 0)).toMatchObject([{ start: 0, end: 4 }]);
  expect(fastWindows(Buffer.from('αβγδ'), 4, 0)).toMatchObject([{ start: 0, end: 8 }]);
});

test('the same characters have the same hash, whether the rest of the text is ASCII or not', () => {
  const [inAscii] = fastWindows(Buffer.from('hello world'), 5, 0);
  const [inGreek] = fastWindows(Buffer.from('hello κόσμε'), 5, 0);
  expect(inGreek).toEqual(inAscii);
});

test('reads only up to the given length', () => {
  const windows = new TextWindows(4, 0);
  expect(windows.count(Buffer.from('abcdefgh'), 5)).toBe(2);
  windows.release();
});

test('accepts bytes that are not UTF-8', () => {
  const bytes = Uint8Array.from({ length: 400 }, (_, i) => 0x80 + ((i * 37) % 128));
  for (const { start, end } of fastWindows(bytes, 8, 0)) expect(end).toBeGreaterThan(start);
});

test('about one window in D is selected', () => {
  const text = randomText('abcdefghijklmnopqrstuvwxyz ', 200_000, 5);
  const kept = fastWindows(Buffer.from(text), 32, 40).length;
  expect(kept).toBeGreaterThan(4600);
  expect(kept).toBeLessThan(5400);
});

test("a text in the kernel's memory is copied correctly when the memory grows for the copy", () => {
  const kernel = new Kernel(kernelModule(), 1 << 20);
  const { byteLength } = kernel.memory.buffer;
  const address = kernel.heap.take(16);
  kernel.bytes.set(Buffer.from('a page of a site'), address);
  while (kernel.memory.buffer.byteLength === byteLength) kernel.heap.take(4096);
  const grown = kernel.memory.buffer.byteLength;
  const texts = new KernelTexts([], kernel);
  while (kernel.memory.buffer.byteLength === grown) {
    const span = texts.add(kernel.bytes.subarray(address, address + 16), false);
    expect(Buffer.from(kernel.bytes.subarray(span.address, span.address + span.length)).toString()).toBe(
      'a page of a site',
    );
  }
});
