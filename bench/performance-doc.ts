/** The generated parts of docs/performance.md: printed always, put into the document when asked to. */
import { availableParallelism, cpus } from 'node:os';
import { writeDocPart } from './doc-part.ts';

export function publishPart(name: string, markdown: string, { write }: { write: boolean }): void {
  console.log(`\n${markdown}\n`);
  if (write) writeDocPart('performance.md', name, markdown);
}

/** What the figures were taken on. */
export function machine(): string {
  const model = (cpus()[0]?.model ?? 'unknown processor').replace(/\s+/g, ' ').trim();
  return `${availableParallelism()} cores (${model}), Node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** `1,234` from 100, `12.3` from 10, `1.23` below. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
}
