import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanKernel } from './scan-kernel.ts';
import { TAG } from './tag-names.ts';

const encoder = new TextEncoder();

function kernelWith(html: string) {
  const source = encoder.encode(html);
  const kernel = scanKernel(source.length);
  kernel.take(source);
  return kernel;
}

/** Where the content of a script that begins at `start` ends, as the states of the standard's tokenizer have it. */
function scriptEnd(html: string, start: number): number {
  const token = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;
  token.lastIndex = start;
  let state: 'script' | 'comment' | 'nested' = 'script';
  for (let match = token.exec(html); match !== null; match = token.exec(html)) {
    const found = match[0].toLowerCase();
    if (found === '<!--') {
      if (state === 'script') state = 'comment';
      // its dashes may be those of the end
      token.lastIndex = match.index + 2;
    } else if (found === '-->') state = 'script';
    else if (found === '<script' && state === 'comment') state = 'nested';
    else if (found === '</script') {
      if (state !== 'nested') return match.index;
      state = 'comment';
    }
  }
  return html.length;
}

const pieces = (...own: string[]) =>
  fc
    .array(
      fc.constantFrom(...own, 'x', ' ', '\n', '<', '</', '!', '-', '--', '>', 'y'.repeat(15), 'z'.repeat(33)),
      {
        maxLength: 25,
      },
    )
    .map((parts) => parts.join(''));

test('a script ends where the standard says, comments and scripts in them passed over', () => {
  const soup = pieces(
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '</SCRIPT ',
    '<script',
    '</scripts>',
    '</script/',
    '<!-->',
  );
  fc.assert(
    fc.property(soup, (content) => {
      const html = `<script>${content}`;
      expect(kernelWith(html).rawEnd(8, html.length, TAG.script)).toBe(scriptEnd(html, 8));
    }),
    { seed: 4, numRuns: 5000 },
  );
});

test.each(['style', 'title', 'textarea', 'noframes', 'xmp', 'iframe', 'noembed'] as const)(
  'the content of %s ends with its own end tag only',
  (name) => {
    const soup = pieces(
      `</${name}>`,
      `</${name.toUpperCase()} a>`,
      `</${name}`,
      `<!-- </${name}/`,
      `<${name}>`,
    );
    fc.assert(
      fc.property(soup, (content) => {
        const end = content.search(new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'i'));
        const expected = end < 0 ? content.length : end;
        expect(kernelWith(content).rawEnd(0, content.length, TAG[name])).toBe(expected);
      }),
      { seed: 4 },
    );
  },
);

test('a comment ends where the standard says', () => {
  fc.assert(
    fc.property(pieces('-->', '--!>', '->', '!>', '<!--'), (content) => {
      const html = `<!--${content}`;
      const short = /^-?>/.exec(content)?.[0].length;
      const end = /--!?>/.exec(content);
      const past = short ?? (end === null ? content.length : end.index + end[0].length);
      expect(kernelWith(html).commentEnd(4, html.length)).toBe(4 + past);
    }),
    { seed: 4, numRuns: 5000 },
  );
});
