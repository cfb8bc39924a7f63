/**
 * The contenders: Chaff and its rivals, each with one job over the pages of a site. Rivals take strings, so
 * decoding the bytes is part of their work; ours works on the bytes. A rival that is not installed is omitted
 * and named.
 */
import { parse } from 'parse5';
import { labelWithFloors } from '../src/detect/confidence-fallback.ts';
import type { DetectorName, ParsedPage } from '../src/detect/detector.ts';
import { makeDetector } from '../src/detect/index.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';
import { renderText } from '../src/view/visible-text.ts';
import { optionalPackage } from './rival-packages.ts';

/** A program that parses pages or extracts their content. */
export interface Contender {
  name: string;
  /** `parse` makes a tree of each page; `extract` returns its content as text, HTML or Markdown. */
  job: 'parse' | 'extract';
  ours: boolean;
  /** Slow contenders take part in fewer rounds. */
  slow: boolean;
  /** Calls `onPage` for each page: true with a result, false without one, an error after a failure. */
  run: (pages: Page[], onPage: (gave: boolean | Error) => void) => Promise<void> | void;
}

/** Installed contenders, and the names of missing packages. */
export interface Contenders {
  contenders: Contender[];
  missing: string[];
}

/** Finds the installed contenders. */
export async function findContenders(): Promise<Contenders> {
  const contenders: Contender[] = [ourParse(), parse5WithLocations()];
  const missing: string[] = [];
  const htmlparser2 = await optionalPackage<Htmlparser2>('htmlparser2', missing);
  const linkedom = await optionalPackage<Linkedom>('linkedom', missing);
  const readability = await optionalPackage<ReadabilityModule>('@mozilla/readability', missing);
  const defuddle = await optionalPackage<DefuddleModule>('defuddle/node', missing);
  const mdream = await optionalPackage<Mdream>('mdream', missing);

  if (htmlparser2) contenders.push(...htmlparser2Parsers(htmlparser2));
  if (linkedom) {
    contenders.push(
      rival('linkedom', 'parse', true, (html) => linkedom.parseHTML(html).document.documentElement !== null),
    );
  }
  contenders.push(ourExtract('dom'), ourExtract('text'));
  if (mdream) {
    contenders.push(
      rival('mdream, whole page to Markdown', 'extract', false, (html) => mdream.htmlToMarkdown(html) !== ''),
      rival(
        'mdream, minimal preset',
        'extract',
        false,
        (html, { url }) => mdream.htmlToMarkdown(html, { minimal: true, origin: url }) !== '',
      ),
    );
  }
  if (linkedom && readability) {
    contenders.push(
      rival('Readability on linkedom', 'extract', true, (html) => {
        const article = new readability.Readability(linkedom.parseHTML(html).document).parse();
        return (article?.textContent ?? '') !== '';
      }),
    );
  }
  if (linkedom && defuddle) {
    contenders.push(
      rival('defuddle on linkedom', 'extract', true, async (html, { url }) => {
        // by default it would query network services when it finds no content
        const { document } = linkedom.parseHTML(html);
        return (await defuddle.Defuddle(document, url, { useAsync: false })).content !== '';
      }),
    );
  }
  return { contenders, missing };
}

function ourParse(): Contender {
  const parser = new Parser();
  return {
    name: 'Chaff: tree, hashes, text, links',
    job: 'parse',
    ours: true,
    slow: false,
    run(pages, onPage) {
      for (const { source } of pages) onPage(parser.parse(source).nodeCount > 0);
    },
  };
}

/**
 * Learns the site from the same pages that it labels, so every page is parsed twice, which is the most
 * expensive case.
 */
function ourExtract(name: DetectorName): Contender {
  const parser = new Parser();
  const detector = makeDetector(name);
  function* parsed(pages: Page[]): Generator<ParsedPage> {
    for (const page of pages) yield { page, tree: parser.parse(page.source) };
  }
  return {
    name: `Chaff: learn, label (${name}), text`,
    job: 'extract',
    ours: true,
    slow: false,
    run(pages, onPage) {
      const model = detector.learn(pages[0].site, parsed(pages));
      for (const page of parsed(pages)) {
        const { ranges } = labelWithFloors(detector, page, model);
        onPage(renderText(page.tree, ranges) !== '');
      }
    },
  };
}

function parse5WithLocations(): Contender {
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false };
  return rival('parse5 with locations', 'parse', true, (html) => parse(html, options).childNodes.length > 0);
}

function htmlparser2Parsers({ Tokenizer, parseDocument }: Htmlparser2): Contender[] {
  const indices = { withStartIndices: true, withEndIndices: true };
  return [
    rival('htmlparser2 Tokenizer (no tree)', 'parse', false, (html) => {
      let tokens = 0;
      const count = () => {
        tokens++;
      };
      const callbacks = Object.fromEntries(TOKENS.map((name) => [name, count]));
      const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
      tokenizer.write(html);
      tokenizer.end();
      return tokens > 0;
    }),
    rival(
      'htmlparser2 parseDocument with indices',
      'parse',
      false,
      (html) => parseDocument(html, indices).children.length > 0,
    ),
  ];
}

const TOKENS = [
  'onattribdata',
  'onattribentity',
  'onattribend',
  'onattribname',
  'oncdata',
  'onclosetag',
  'oncomment',
  'ondeclaration',
  'onend',
  'onopentagend',
  'onopentagname',
  'onprocessinginstruction',
  'onselfclosingtag',
  'ontext',
  'ontextentity',
];

function rival(
  name: string,
  job: Contender['job'],
  slow: boolean,
  work: (html: string, page: Page) => boolean | Promise<boolean>,
): Contender {
  return {
    name,
    job,
    slow,
    ours: false,
    async run(pages, onPage) {
      for (const page of pages) {
        const { source } = page;
        try {
          const html = Buffer.from(source.buffer, source.byteOffset, source.length).toString('utf8');
          const gave = work(html, page);
          onPage(typeof gave === 'boolean' ? gave : await gave);
        } catch (error) {
          onPage(error as Error);
        }
      }
    },
  };
}

interface Htmlparser2 {
  Tokenizer: new (options: object, callbacks: object) => { write(html: string): void; end(): void };
  parseDocument(html: string, options: object): { children: unknown[] };
}
interface Linkedom {
  parseHTML(html: string): { document: { documentElement: unknown } };
}
interface ReadabilityModule {
  Readability: new (document: unknown) => { parse(): { textContent?: string | null } | null };
}
interface DefuddleModule {
  Defuddle(document: unknown, url: string, options: object): Promise<{ content: string }>;
}
interface Mdream {
  htmlToMarkdown(html: string, options?: object): string;
}
