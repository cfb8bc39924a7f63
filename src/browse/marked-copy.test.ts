import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import { isMarked, markedCopy } from './join-nodes.ts';

const copyOf = (html: string) => markedCopy(new Parser().parse(Buffer.from(html))).toString();

test('every start tag of an element gets the number of its node as first attribute', () => {
  expect(copyOf('<!doctype html><html><body class=x><p>Grüße<br/>x<img src=a></p></html>')).toBe(
    '<!doctype html><html data-chaff="2"><body data-chaff="4" class=x><p data-chaff="5">Grüße<br data-chaff="7"/>x<img data-chaff="9" src=a></p></html>',
  );
});

test('formatting that browsers reopen is not marked', () => {
  expect(copyOf('<p><b>a<font size=2>b</font></b>')).toBe('<p data-chaff="4"><b>a<font size=2>b</font></b>');
});

test('tags without an element, and text that looks like a tag, are not marked', () => {
  const html = '<body><p>x</p></b><td>y</td><!-- <div> --><script>"<div>"</script><textarea><p></textarea>';
  expect(copyOf(html).replace(/ data-chaff="\d+"/g, '')).toBe(html);
  expect(copyOf(html)).toContain('</b><td>y</td><!-- <div> -->');
  expect(copyOf(html)).toContain('>"<div>"</script>');
});

test('elements moved by misnested formatting keep their own numbers', () => {
  const tree = new Parser().parse(Buffer.from('<p><a href=x>1<div>2</a>3</div><section>4</section>'));
  const copy = markedCopy(tree).toString();
  for (let node = 0; node < tree.nodeCount; node++) {
    if (isMarked(tree, node)) expect(copy).toContain(`<${tagName(tree, node)} data-chaff="${node}"`);
  }
});

test('an empty page and one that ends inside a tag have a copy', () => {
  expect(copyOf('')).toBe('');
  expect(copyOf('<div')).toBe('<div');
  expect(copyOf('text')).toBe('text');
});
