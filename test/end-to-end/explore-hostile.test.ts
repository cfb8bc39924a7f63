/**
 * Opens a hostile archive in the explorer: none of its scripts runs, no request leaves the explorer, and its texts
 * are not read as markup.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { chaff } from '../command-line.ts';
import { type ExploredSample, exploreFolder } from '../explore-folder.ts';
import { gzipEach, httpResponse, warcRecord } from '../sample-archives.ts';
import { openTrap, type Trap } from '../trap-server.ts';

let browser: Browser;
let trap: Trap;
let folder: string;
let explored: ExploredSample;

const HOST = 'http://evil.example';
const RUN = 'top.hacked=1;window.hacked=1;fetch(TRAP)';

/** Everything that we know of that runs or fetches. TRAP is the address of a server that counts its visits. */
const page = (number: number) => `<!DOCTYPE html><html onload="${RUN}"><head>
<base href="TRAP/base/"><title>&lt;img src=x onerror=${RUN}&gt;"'><script>${RUN}</script> page ${number}</title>
<meta http-equiv="refresh" content="0;url=TRAP/refresh"><meta http-equiv="refresh" content="0;javascript:${RUN}">
<meta http-equiv="Content-Security-Policy" content="default-src *"><meta name="referrer" content="unsafe-url">
<link rel="stylesheet" href="TRAP/out.css"><link rel="stylesheet" href="${HOST}/in.css"><link rel="preload" as="script" href="TRAP/p.js">
<link rel="dns-prefetch" href="TRAP"><link rel="preconnect" href="TRAP"><link rel="prefetch" href="TRAP/f"><link rel="icon" href="TRAP/i">
<link rel="import" href="TRAP/imp"><link rel="manifest" href="TRAP/m">
<style>@import "TRAP/a.css"; @im\\70ort url(TRAP/b.css); @font-face{font-family:x;src:u\\72l(TRAP/f.woff)} body{font-family:x;background:url(TRAP/bg.png)}
.x:hover{background:image-set("TRAP/set.png" 1x)} input[value^="a"]{background:url(TRAP/leak)}</style><style></style><script>${RUN}</script></style>
<script src="TRAP/s.js"></script><script type="module">${RUN}</script></head>
<body onload="${RUN}" onfocus="${RUN}" background="TRAP/body.png">
<script>${RUN}</script><noscript><img src="TRAP/noscript.png"></noscript>
<div class="nav" onclick="${RUN}" onmouseover="${RUN}"><a href="javascript:${RUN}">one</a> <a href="java&#10;script:${RUN}">two</a> <a href="TRAP/link" ping="TRAP/ping" target="_top">three</a></div>
<article><h1>Story number ${number} of the ${'abcdefghijklm'[number]} kind</h1>
<p style="background:url(TRAP/style.png);background:u\\72l('TRAP/style2.png')">A long paragraph with words that only page ${number} has, number ${number * 7919}, so that it is its content and stays.</p>
<p>&lt;script&gt;${RUN}&lt;/script&gt; and <b onmouseenter="${RUN}">more</b> text of page ${number} follows here, in a second paragraph.</p>
<img src="TRAP/i.png" srcset="TRAP/i2.png 2x" onerror="${RUN}" onload="${RUN}"><img src="${HOST}/picture.svg"><img src="${HOST}/page.html"><picture><source srcset="TRAP/src.png"></picture>
<img src="data:text/html,<script>${RUN}</script>"><image src="TRAP/image.png">
<svg onload="${RUN}"><script>${RUN}</script><a xlink:href="javascript:${RUN}"><text>svg</text></a><image href="TRAP/svg.png"/><use href="TRAP/use.svg#a"/><foreignObject><iframe src="TRAP/fo"></iframe></foreignObject><animate attributeName="href" values="javascript:${RUN}"/><style>*{background:url(TRAP/svgstyle)}</style></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;"></mglyph></table></mtext></math>
<form action="TRAP/form" id="f"><input name="a" value="abc" autofocus onfocus="${RUN}"><button formaction="javascript:${RUN}">send</button><input type="image" src="TRAP/input.png"></form>
<iframe src="TRAP/frame"></iframe><iframe srcdoc="<script>top.hacked=1</script>"></iframe><iframe src="javascript:${RUN}"></iframe><frame src="TRAP/f2">
<object data="TRAP/object"></object><embed src="TRAP/embed"><applet code="TRAP/applet"></applet><video src="TRAP/v" poster="TRAP/poster" autoplay></video><audio src="TRAP/a" autoplay></audio>
<details open ontoggle="${RUN}"><summary>s</summary></details><marquee onstart="${RUN}">m</marquee><body onload="${RUN}"><chaff-t onclick="${RUN}" id="chaff-0">fake</chaff-t><x-y onclick="${RUN}" style="background:url(TRAP/xy)">custom</x-y>
<a id="pic" href="TRAP/area"><area href="TRAP/area"></a><template><script>${RUN}</script></template></article></body></html>`;

beforeAll(async () => {
  [browser, trap] = await Promise.all([launchBrowser(), openTrap()]);
  folder = mkdtempSync(join(tmpdir(), 'chaff-hostile-'));
  const fill = (text: string) => text.replaceAll('TRAP', trap.origin);
  const record = (path: string, type: string, body: string, time = '2020-01-01T00:00:00Z') =>
    warcRecord({
      url: HOST + path,
      time,
      block: httpResponse(fill(body), `HTTP/1.1 200 OK\r\nContent-Type: ${type}`),
    });
  const records = Array.from({ length: 12 }, (_, k) =>
    record(`/"><script>${k}</script>/page`, 'text/html; charset=utf-8', page(k)),
  );
  // a second capture, for the comparison
  records.push(
    record(
      '/"><script>1</script>/page',
      'text/html; charset=utf-8',
      page(1).replace('more', 'less'),
      '2021-01-01T00:00:00Z',
    ),
  );
  records.push(
    record(
      '/in.css',
      'text/css',
      '@import "TRAP/c.css";@import url(/in2.css);h1{color:rgb(1, 2, 3);background:url(TRAP/h1.png)}',
    ),
    record('/in2.css', 'text/css', `h1{letter-spacing:3px}</style><script>${RUN}</script>`),
    record(
      '/picture.svg',
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="${RUN}"><script>${RUN}</script><image href="TRAP/deep.png"/><rect width="9" height="9"/></svg>`,
    ),
    record('/page.html', 'image/png', `<script>${RUN}</script>`),
  );
  const warc = join(folder, 'evil.warc.gz');
  writeFileSync(warc, gzipEach(records));
  await chaff(['report', warc, '-o', join(folder, 'evil.chaff'), '--workers', '0', '-q']);
  explored = await exploreFolder(join(folder, 'evil.chaff'));
});
afterAll(async () => {
  await browser?.close();
  await explored?.close();
  await trap?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('no script runs and no request leaves, whatever is looked at and clicked', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const tab = await context.newPage();
  const trouble: string[] = [];
  const { origin } = new URL(explored.explorer.url);
  tab.on('dialog', (dialog) => trouble.push(`dialog ${dialog.message()}`));
  tab.on('download', () => trouble.push('download'));
  context.on('page', (popup) => popup !== tab && trouble.push(`popup ${popup.url()}`));
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      trouble.push(request.url());
  });
  await tab.goto(explored.explorer.url);
  const number = await pageWithTwoCaptures();
  for (const path of [
    `/page?page=${number}`,
    `/page?page=${number}&detector=dom`,
    `/page?page=${number}&tab=text`,
    `/page?page=${number}&tab=markdown`,
    `/page?page=${number}&tab=captures`,
    `/label?who=eve&site=evil.example&page=${number}`,
    '/sites?find=<script>top.hacked=1</script>',
  ]) {
    await tab.goto(origin + path);
    if (!path.startsWith('/sites')) {
      const frame = tab.frameLocator('.page-frame iframe:not(.loading)');
      await frame.locator('h1').waitFor();
      // its styles come from the archive, and nothing else of it
      expect(
        await frame.locator('h1').evaluate((h1) => h1.ownerDocument.defaultView.getComputedStyle(h1).color),
      ).toBe('rgb(1, 2, 3)');
      expect(
        await frame
          .locator('h1')
          .evaluate((h1) => h1.ownerDocument.defaultView.getComputedStyle(h1).letterSpacing),
      ).toBe('3px');
      for (const text of ['one', 'two', 'three', 'custom', 'send']) {
        await frame.getByText(text, { exact: true }).first().click({ timeout: 2000, force: true });
      }
      await frame.locator('p').first().hover();
      expect(tab.url().startsWith(origin)).toBe(true);
    }
    await tab.waitForTimeout(300);
    for (const one of tab.frames())
      expect(await one.evaluate('window.hacked').catch(() => undefined)).toBeUndefined();
  }
  expect(trouble).toEqual([]);
  expect(trap.visits()).toBe(0);
  await context.close();
});

async function pageWithTwoCaptures(): Promise<number> {
  for (let number = 1; number <= 13; number++) {
    const { captures } = (await (await explored.ask(`/api/page?page=${number}`)).json()) as {
      captures: { page: number }[];
    };
    if (captures.length === 2) return captures[1].page;
  }
  throw new Error('no page has two captures');
}

test('a frame alone is no way in: it wants its token and host, is sandboxed, and gives away no document', async () => {
  const { origin } = new URL(explored.explorer.url);
  const { base } = (await (await explored.ask('/api/page/frames')).json()) as { base: string };
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers });
  expect((await ask('/frame/wrong/page/1/joint/aaaaaaaa')).status).toBe(403);
  const document = await ask(`${base}/page/1/joint/aaaaaaaa`);
  const policy = document.headers.get('content-security-policy')!;
  expect(policy).toContain('sandbox');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('script');
  expect(await document.text()).not.toMatch(/<script|javascript:|\son\w+="/i);

  const resource = (url: string, kind: string) =>
    ask(`${base}/resource/1/${kind}/${Buffer.from(url).toString('base64url')}`);
  const svg = await resource(`${HOST}/picture.svg`, 'image');
  expect(svg.headers.get('content-security-policy')).toContain('sandbox');
  // a file of this machine, a page of the archive, an address elsewhere
  for (const url of [
    'file:///etc/passwd',
    `${HOST}/"><script>1</script>/page`,
    `${trap.origin}/x`,
    'not a url',
  ]) {
    expect([url, (await resource(url, 'image')).status]).toEqual([url, 404]);
    expect([url, (await resource(url, 'style')).status]).toEqual([url, 404]);
  }
  expect((await ask(`${base}/page/1/nobody/aaaaaaaa`)).status).toBe(400);
  expect((await ask(`${base}/page/999999/joint/aaaaaaaa`)).status).toBe(404);
  expect(trap.visits()).toBe(0);
});
