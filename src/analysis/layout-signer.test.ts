import { expect, test } from 'vitest';
import { parseHeld } from '../../test/held-tree.ts';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { keyOf, Random } from '../research/generated-sites/random.ts';
import { LayerTokens, PathTokens } from './layout-signer.ts';

const parse = (html: string) => parseHeld(html);

interface Tag {
  name: string;
  parent?: Tag;
  children: Tag[];
}

/** The listings of the thesis, line by line, over the sanitised tree. */
function tokensOfListings(tree: Tree): string[] {
  const root: Tag = { name: '[document]', children: [] };
  const tags = new Map<number, Tag>([[0, root]]);
  for (let node = 1; node < tree.nodeCount; node++) {
    const parent = tags.get(tree.parent[node]);
    const name = tagName(tree, node);
    if (!parent || tree.kind[node] !== ELEMENT || name === 'script' || name === 'iframe') continue;
    const tag: Tag = { name, parent, children: [] };
    parent.children.push(tag);
    tags.set(node, tag);
  }

  const layers = new Map<number, Tag[][]>();
  const dfs = (tag: Tag, level: number) => {
    const nodes: Tag[] = [];
    for (const child of tag.children) {
      dfs(child, level + 1);
      nodes.unshift(child);
    }
    if (!layers.has(level)) layers.set(level, []);
    layers.get(level)!.unshift(nodes);
  };
  dfs(root, 0);

  const tokens: string[] = [];
  for (const level of [...layers.keys()].sort((a, b) => a - b)) {
    layers.get(level)!.forEach((nodes, groupNr) => {
      nodes.forEach((node, nodeNr) => {
        const path = [`${nodeNr}_${groupNr}_${level}_${node.name}`];
        for (let up = node.parent; up; up = up.parent) path.push(`${nodeNr}_${groupNr}_${level}_${up.name}`);
        tokens.push(path.join('/'));
      });
    });
  }
  return tokens;
}

function hashesOf(tree: Tree): number[] {
  const layers = new LayerTokens();
  layers.make(tree);
  return Array.from(layers.tokens.subarray(0, layers.count));
}

test('tokens are those of the listings: numbers run from the end, and empty groups count', () => {
  expect(tokensOfListings(parse('<html><head></head><body><br><ul><li>a<li>b</ul></body></html>'))).toEqual([
    '0_0_0_html/0_0_0_[document]',
    '0_0_1_body/0_0_1_html/0_0_1_[document]',
    '1_0_1_head/1_0_1_html/1_0_1_[document]',
    '0_0_2_ul/0_0_2_body/0_0_2_html/0_0_2_[document]',
    '1_0_2_br/1_0_2_body/1_0_2_html/1_0_2_[document]',
    '0_0_3_li/0_0_3_ul/0_0_3_body/0_0_3_html/0_0_3_[document]',
    '1_0_3_li/1_0_3_ul/1_0_3_body/1_0_3_html/1_0_3_[document]',
  ]);
});

test('on random trees, hashes are equal exactly if the tokens of the listings are', () => {
  const tokenOf = new Map<number, string>();
  const hashOf = new Map<string, number>();
  for (let seed = 0; seed < 200; seed++) {
    const tree = parse(randomPage(new Random(keyOf('layers', seed))));
    const tokens = tokensOfListings(tree);
    const hashes = hashesOf(tree);
    expect(hashes.length).toBe(tokens.length);
    expect(new Set(hashes).size).toBe(hashes.length);

    // hashes cannot be matched to single tokens, so the sets of all pages are compared
    const sorted = pairUp(tree, tokens, hashes);
    for (const [token, hash] of sorted) {
      expect(hashOf.get(token) ?? hash).toBe(hash);
      expect(tokenOf.get(hash) ?? token).toBe(token);
      hashOf.set(token, hash);
      tokenOf.set(hash, token);
    }
  }
  expect(hashOf.size).toBeGreaterThan(3000);
});

test('text, attributes, comments, scripts and iframes do not matter', () => {
  const plain = hashesOf(parse('<body><div><p>one</p></div></body>'));
  const dressed = hashesOf(
    parse(
      '<!-- x --><body class=a><div id=b>word<script>if (1 < 2) document.write("<p>")</script><p>two words</p>' +
        '<iframe src=x><p>frame</p></iframe></div></body>',
    ),
  );
  expect(dressed).toEqual(plain);
});

test('an element with a name unknown to HTML counts by its name', () => {
  const [a, b, c] = ['x-card', 'x-list', 'x-card'].map((name) => hashesOf(parse(`<${name}></${name}>`)));
  expect(a).toEqual(c);
  expect(a).not.toEqual(b);
});

test('an empty page has the elements that every page has', () => {
  expect(hashesOf(parse('')).length).toBe(hashesOf(parse('<html><head></head><body></body></html>')).length);
});

test('a page of the largest depth needs no recursion', () => {
  const depth = 500;
  expect(hashesOf(parse('<div>'.repeat(depth))).length).toBeGreaterThanOrEqual(depth);
});

/** Hashes are in order from the last element of the page to the first; tokens layer by layer. */
function pairUp(tree: Tree, tokens: string[], hashes: number[]): [string, number][] {
  const levels: number[] = [];
  const levelOf = new Int32Array(tree.nodeCount).fill(-9);
  levelOf[0] = -1;
  for (let node = 1; node < tree.nodeCount; node++) {
    const name = tagName(tree, node);
    const above = levelOf[tree.parent[node]];
    if (tree.kind[node] !== ELEMENT || above === -9 || name === 'script' || name === 'iframe') continue;
    levelOf[node] = above + 1;
    levels.push(above + 1);
  }
  levels.reverse();
  // within a layer both run from the end of the page
  const byLayer = levels.map((level, i) => ({ level, i })).sort((a, b) => a.level - b.level || a.i - b.i);
  return byLayer.map(({ i }, k) => [tokens[k], hashes[i]]);
}

function randomPage(random: Random): string {
  const names = ['div', 'span', 'ul', 'b', 'section', 'x-a', 'script', 'iframe', 'em'];
  let html = '<body>';
  const open: string[] = [];
  for (let i = random.between(3, 120); i > 0; i--) {
    if (open.length > 0 && random.chance(0.45)) html += `</${open.pop()}>`;
    else if (random.chance(0.2)) html += random.pick(['text', '<!-- c -->', '<br>', '<img>']);
    else {
      const name = random.pick(names);
      html += `<${name}>`;
      if (name === 'script' || name === 'iframe') html += `var x</${name}>`;
      else open.push(name);
    }
  }
  return html;
}

function tokensOf(html: string): Set<number> {
  const paths = new PathTokens();
  paths.make(new Parser().parse(Buffer.from(html)));
  return new Set(paths.tokens.subarray(0, paths.count));
}

const list = (items: number, attributes = '') =>
  `<body><div class=main><ul${attributes}>${'<li><a href=x>y</a>'.repeat(items)}</ul></div>`;

test('a longer list has the same tokens', () => {
  expect(tokensOf(list(20))).toEqual(tokensOf(list(2)));
});

test('a class makes a difference, its digits and spelling in the tag do not', () => {
  const plain = tokensOf(list(2));
  const classed = tokensOf(list(2, ' class="post-17"'));
  expect(classed).not.toEqual(plain);
  for (const written of [
    " class='post-9'",
    ' id="class=x" CLASS = "post-"',
    ' title=\'a class="other"\' class=post-123',
    ' data-class=z class="post-5"',
  ]) {
    expect(tokensOf(list(2, written)), written).toEqual(classed);
  }
});

test('text that only looks like a class attribute is ignored', () => {
  const plain = tokensOf(list(2));
  for (const written of [' title="class=post"', ' data-class=post', ' classy=post', ' class']) {
    expect(tokensOf(list(2, written)), written).toEqual(plain);
  }
});

test('scripts, iframes, comments and text do not matter', () => {
  expect(tokensOf('<body><p>a<!-- b --><script class=c>d</script><iframe><b></iframe>')).toEqual(
    tokensOf('<body><p>'),
  );
});
