/** The programming language that a code block names in its classes or those of the elements around it. */
import { readAttribute } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

/** A language after a prefix: `language-js`, `brush: js`. */
const NAMED =
  /(?:^|\s)(?:lang|language|highlight-source|highlight-text|highlight|brush)[-:]\s?([A-Za-z0-9_+#.-]{1,20});?(?=\s|$)/g;
/** A language after the name of a highlighter: `hljs js`, `sourceCode python`. */
const AFTER = /(?:^|\s)(?:hljs|sourceCode|src)\s([A-Za-z0-9_+#.]{1,20})(?=\s|$)/g;
/** Words that appear beside a language in such classes, and names that mean no language. */
const NONE = new Set(
  'default none text plain plaintext notranslate nohighlight highlight hljs code linenums block wrapper prettyprint sourcecode language source auto nolinks'.split(
    ' ',
  ),
);
/** Number of elements around the block that are examined; one more if the block has no `code` element. */
const LEVELS = 3;

/** Returns the language in lower case; empty when the block names none. */
export function codeLanguage(tree: Tree, pre: number): string {
  const nodes = [pre];
  const inner = pre + 1;
  if (inner < tree.last[pre] && tree.kind[inner] === ELEMENT && tree.name[inner] === TAG.code)
    nodes.unshift(inner);
  for (let node = tree.parent[pre]; node > 0 && nodes.length < LEVELS + 2; node = tree.parent[node]) {
    // an element that holds more than the code does not describe the code
    if (tree.end[node] - tree.start[node] > 2 * (tree.end[pre] - tree.start[pre]) + 400) break;
    nodes.push(node);
  }
  for (const node of nodes) {
    const language = readAttribute(tree, node, 'data-lang') ?? readAttribute(tree, node, 'data-language');
    if (language !== undefined && /^[A-Za-z0-9_+#.-]{1,20}$/.test(language)) return language.toLowerCase();
    const names = readAttribute(tree, node, 'class');
    if (names === undefined || names.length > 500) continue;
    for (const [, name] of [...names.matchAll(NAMED), ...names.matchAll(AFTER)]) {
      const lower = name.toLowerCase();
      if (!NONE.has(lower)) return lower;
    }
  }
  return '';
}
