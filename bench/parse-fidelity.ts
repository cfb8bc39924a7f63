/**
 * Compares our tree with parse5's:
 *
 *     npx tsx bench/parse-fidelity.ts [--sample 100] sites/*.warc.gz     real pages, per site
 *     npx tsx bench/parse-fidelity.ts tree-construction/*.dat            cases of html5lib-tests
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Parser } from '../src/parse/parser.ts';
import { type Comparison, compareWithParse5 } from '../test/parse5-oracle.ts';
import { readStoredPages } from './site-pages.ts';

const args = process.argv.slice(2);
const option = args.indexOf('--sample');
const sample = option < 0 ? 100 : Number(args.splice(option, 2)[1]);
const verbose = args[0] === '-v' && args.shift() !== undefined;
const parser = new Parser();

class Figures {
  sources = 0;
  located = 0;
  sameParent = 0;
  extra = 0;
  sameOutline = 0;
  exact = 0;
  fostered = 0;
  /** Number of sources without fostered content, and of those with equal trees. */
  plain = 0;
  plainSame = 0;

  add(comparison: Comparison, exact: boolean, fostered: boolean): void {
    this.sources++;
    this.located += comparison.located;
    this.sameParent += comparison.sameParent;
    this.extra += comparison.extra;
    if (comparison.sameOutline) this.sameOutline++;
    if (exact) this.exact++;
    if (fostered) this.fostered++;
    else {
      this.plain++;
      if (comparison.sameOutline) this.plainSame++;
    }
  }

  print(name: string): void {
    const share = ((100 * this.sameParent) / this.located).toFixed(4);
    console.log(
      `${name.padEnd(34)} ${this.sources} sources, ${this.located} elements, same parent ${share} %, ` +
        `${this.extra} extra; outline same ${this.sameOutline} (without fostering ${this.plainSame} of ${this.plain}); ` +
        `moved ${this.exact}, fostered ${this.fostered}`,
    );
  }
}

const total = new Figures();
for (const file of args) {
  const figures = new Figures();
  for (const { name, body } of sourcesOf(file)) {
    const tree = parser.parse(body);
    const comparison = compareWithParse5(tree);
    figures.add(comparison, tree.exact, tree.fosteredCount > 0);
    total.add(comparison, tree.exact, tree.fosteredCount > 0);
    if (verbose && comparison.firstDifference !== '') {
      console.log(
        `  ${tree.fosteredCount > 0 ? 'fostered' : 'DIFFERS'} ${name}: ${comparison.firstDifference}`,
      );
    }
  }
  figures.print(basename(file));
}
total.print('total');

function* sourcesOf(file: string): Generator<{ name: string; body: Uint8Array }> {
  if (!file.endsWith('.dat')) {
    for (const { url, body } of readStoredPages(file, sample)) yield { name: url, body };
    return;
  }
  // the input of each case is parsed as a document, even in fragment cases, because any input is a test
  for (const part of readFileSync(file, 'latin1')
    .split(/^#data\n/m)
    .slice(1)) {
    const data = part.slice(0, part.search(/^#errors/m)).replace(/\n$/, '');
    yield { name: JSON.stringify(data.slice(0, 200)), body: Uint8Array.from(Buffer.from(data, 'latin1')) };
  }
}
