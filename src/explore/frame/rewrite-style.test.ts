import { expect, test } from 'vitest';
import { NOWHERE, rewriteStyle } from './rewrite-style.ts';

const seen: string[] = [];
const rewrite = (css: string) => {
  seen.length = 0;
  return rewriteStyle(css, (address, kind) => {
    seen.push(address);
    return address.startsWith('http://in.example/') ? `/r/${kind}` : undefined;
  });
};

test('addresses point to the archive or nowhere', () => {
  expect(rewrite('a{background:url(http://in.example/a.png) red}')).toBe('a{background:url("/r/image") red}');
  expect(rewrite(`a{background:URL( "http://out.example/a.png" )}`)).toBe(`a{background:url("${NOWHERE}")}`);
  expect(rewrite('@import "http://in.example/b.css" screen;p{}')).toBe('@import url("/r/style") screen;p{}');
  expect(rewrite('@import url(http://out.example/b.css);p{}')).not.toContain('out.example');
});

test('escapes, comments and odd spellings hide no address', () => {
  for (const css of [
    'a{background:u\\72l(http://out.example/)}',
    'a{background:\\55 RL(http://out.example/)}',
    '@im\\70ort "http://out.example/";',
    '@import/**/url( http://out.example/ );',
    "a{background:image-set('http://out.example/' 1x)}",
    'a{background:-webkit-image-set(url(http://out.example/) 1x)}',
    'a{background:src("http://out.example/")}',
    'a{background:url("http://out.exa\\\nmple/")}',
    'a{background:url(http://out.example/',
    '@import "http://out.example/',
    'a{background:url(/**/"http://out.example/")}',
  ]) {
    expect(rewrite(css), css).not.toContain('out.example');
    expect(seen.join(' '), css).toContain('out.example');
  }
});

test('the end of a style element cannot be written', () => {
  for (const css of [
    '</style><script>1</script>',
    'a{content:"</style>"}',
    'a{background:url("</style>")}',
    '<\\/style>',
  ]) {
    expect(rewrite(css), css).not.toContain('</');
  }
});

test('other text in a style sheet is unchanged', () => {
  const css = '@media (width < 600px){.a\\:b>c::before{content:"x\\a y";width:calc(1px + (2 * 3px))}}';
  expect(rewrite(css).replaceAll('"x\\a y"', '"x\\a y"')).toBe(css);
});

test('a long sheet takes time in proportion', () => {
  const time = (count: number) => {
    const css = `${'a\\61 {background:url(x)}/**/"'.repeat(count)}${'('.repeat(count)}${'\\'.repeat(count)}`;
    // the shortest of three: other tests run on the same cores
    const runs = [0, 1, 2].map(() => {
      const start = performance.now();
      rewrite(css);
      return performance.now() - start;
    });
    return Math.min(...runs);
  };
  time(2000);
  expect(time(80_000)).toBeLessThan(100 * Math.max(5, time(4000)));
});
