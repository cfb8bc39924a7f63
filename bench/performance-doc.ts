/** The generated parts of docs/research/performance.md: always printed, written to the document on request. */
import { availableParallelism, cpus } from 'node:os';
import { writeDocPart } from './doc-part.ts';

/** Prints a generated part, and writes it to docs/research/performance.md if `write` is set. */
export function publishPart(name: string, markdown: string, { write }: { write: boolean }): void {
  console.log(`\n${markdown}\n`);
  if (write) writeDocPart('research/performance.md', name, markdown);
}

/** Describes the machine on which the figures were measured. */
export function machine(): string {
  const model = (cpus()[0]?.model ?? 'unknown processor').replace(/\s+/g, ' ').trim();
  return `${availableParallelism()} cores (${model}), Node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** Formats `1,234` from 100, `12.3` from 10, `1.23` below. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** Formats a count with thousands separators. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats bytes as whole megabytes (10^6 bytes). */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
}
