/** Pages that try to reach the network or a file, never finish loading, or crash the browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../test/browser.ts';
import { boxesByName, missingBrowser, parsedPage } from '../../test/shown-page.ts';
import { openTrap, type Trap } from '../../test/trap-server.ts';
import type { Resource } from '../read/read-resource.ts';
import { BrowserLayout } from './browser-layout.ts';
import { launchChromium } from './launch-chromium.ts';
import { NO_RESOURCES, type Resources } from './resources.ts';

const missing = await missingBrowser();

/** A page with everything that makes a browser fetch or connect without a click. */
const reachingPage = (target: string, host: string) => `<!doctype html><html manifest="${target}/manifest">
<head profile="${target}/profile">
<link rel="dns-prefetch" href="//${host}"><link rel="preconnect" href="${target}"><link rel="prefetch" href="${target}/prefetch">
<link rel="prerender" href="${target}/prerender"><link rel="preload" as="style" href="${target}/preload.css">
<link rel="modulepreload" href="${target}/module.js"><link rel="icon" href="${target}/icon.png"><link rel="manifest" href="${target}/m.json">
<link rel="stylesheet" href="${target}/style.css"><link rel="stylesheet" href="//${host}/other.css">
<meta http-equiv="refresh" content="0; url=${target}/refresh">
<style>@import url("${target}/import.css"); @font-face { font-family: f; src: url("${target}/font.woff") }
body { font-family: f; background: url("${target}/background.png"); cursor: url("${target}/cursor.cur"), auto } li { list-style: url("${target}/dot.png") }</style>
<script src="${target}/script.js"></script><script>new Image().src = "${target}/inline.png"; fetch("${target}/fetch"); new WebSocket("ws://${host}/socket"); location = "${target}/away"; navigator.sendBeacon("${target}/beacon")</script>
<script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["${target}/speculated"]}]}</script>
</head><body background="${target}/body.png" onload="location='${target}/onload'">
<img src="${target}/image.png" srcset="${target}/image2.png 2x" onerror="new Image().src='${target}/error.png'"><picture><source srcset="${target}/source.png"><img></picture>
<iframe src="${target}/frame.html"></iframe><iframe srcdoc="<img src='${target}/srcdoc.png'>"></iframe>
<iframe src="data:text/html,<img src='${target}/data.png'><script>fetch('${target}/data')</script>"></iframe>
<object data="${target}/object.html"></object><embed src="${target}/embed.swf"><applet code="${target}/applet"></applet>
<video src="${target}/video.mp4" poster="${target}/poster.png" autoplay></video><audio src="${target}/audio.mp3" autoplay></audio><track src="${target}/track.vtt">
<input type="image" src="${target}/input.png"><svg><image href="${target}/svg.png"/><use href="${target}/use.svg#a"/></svg>
<table background="${target}/table.png"><tr><td>cell</table><form action="${target}/form"><input autofocus onfocus="form.submit()"></form>
<portal src="${target}/portal"></portal><fencedframe src="${target}/fenced"></fencedframe><p style="background: url(${target}/inline.png)">text</p>`;

describe.skipIf(missing !== '')(missing === '' ? 'in a browser' : `skipped: ${missing}`, () => {
  let folder: string;
  let trap: Trap;
  let find: Resources['find'] = () => null;
  let layout: BrowserLayout;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'chaff-hostile-'));
    trap = await openTrap();
    layout = await BrowserLayout.open({
      tabs: 2,
      pageMs: 5000,
      resources: { isEmpty: false, find: (url, time) => find(url, time) },
    });
  });

  afterAll(async () => {
    await layout?.close();
    await trap?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test('nothing reaches the network', async () => {
    find = () => null;
    const page = parsedPage(reachingPage(trap.origin, `127.0.0.1:${trap.port}`));
    const local = parsedPage(reachingPage(`http://localhost:${trap.port}`, `localhost:${trap.port}`));
    const own = parsedPage(reachingPage('', `127.0.0.1:${trap.port}`), { url: `${trap.origin}/page` });
    const bare = await BrowserLayout.open({ tabs: 1, resources: NO_RESOURCES });
    try {
      for (const parsed of [page, local, own]) {
        for (const laidOut of [await layout.layOut(parsed), await bare.layOut(parsed)]) {
          expect(laidOut.problem).toBeUndefined();
          expect(boxesByName(parsed, laidOut)['p text'][2]).toBeGreaterThan(0);
        }
      }
      await wait(300); // for requests that the page has delayed
    } finally {
      await bare.close();
    }
    expect(trap.visits()).toBe(0);

    // the same page in a browser that may connect shows that the trap works
    const browser = await launchBrowser();
    const tab = await browser.newPage();
    await tab.route('http://example.com/', (route) =>
      route.fulfill({ contentType: 'text/html', body: Buffer.from(page.tree.source) }),
    );
    await tab.goto('http://example.com/', { waitUntil: 'commit' });
    for (let waited = 0; trap.visits() === 0 && waited < 10_000; waited += 50) await wait(50);
    await browser.close();
    expect(trap.visits()).toBeGreaterThan(0);
  });

  test('the browser itself has no way to the network, even when no request is refused', async () => {
    const before = trap.visits();
    const { browser } = await launchChromium();
    try {
      const tab = await browser.newPage();
      for (const url of [
        trap.origin,
        `http://localhost:${trap.port}`,
        `http://[::ffff:127.0.0.1]:${trap.port}/`,
      ])
        await expect(tab.goto(url, { timeout: 5000 })).rejects.toThrow(/net::ERR_/);
    } finally {
      await browser.close();
    }
    expect(trap.visits()).toBe(before);
  });

  test('no file is read', async () => {
    const path = join(folder, 'secret.css');
    writeFileSync(path, 'div { height: 321px !important }');
    const file = pathToFileURL(path).href;
    const picture = join(folder, 'picture.svg');
    writeFileSync(picture, '<svg xmlns="http://www.w3.org/2000/svg" width="321" height="321"></svg>');
    const asked: string[] = [];
    find = (url) => {
      asked.push(url);
      return null;
    };
    for (const url of ['http://example.com/', 'file:///x.html', `file://localhost${path}`]) {
      const parsed = parsedPage(
        `<!doctype html><meta http-equiv=refresh content="0; url=${file}"><link rel=stylesheet href="${file}">` +
          `<link rel=stylesheet href="${path}"><style>@import "${file}";</style><iframe src="${file}"></iframe>` +
          `<object data="${file}"></object><img src="${pathToFileURL(picture)}"><div style="height: 10px"></div>`,
        { url },
      );
      const laidOut = await layout.layOut(parsed);
      const { div, img } = boxesByName(parsed, laidOut);
      expect(div[3]).toBe(10);
      expect(img[3]).not.toBe(321);
    }
    expect(asked.filter((url) => url.startsWith('file:'))).toEqual([]);
  });

  test('a page that redirects its reader is laid out itself', async () => {
    find = () => null;
    for (const target of [
      '/next',
      'https://example.org/',
      'file:///etc/passwd',
      'mailto:a@example.com',
      'data:text/html,x',
      'javascript:1',
    ]) {
      const parsed = parsedPage(
        `<!doctype html><meta http-equiv=refresh content="0;url=${target}"><div style="height: 44px"></div>`,
      );
      const laidOut = await layout.layOut(parsed);
      expect(laidOut.problem).toBeUndefined();
      expect(boxesByName(parsed, laidOut).div[3]).toBe(44);
    }
  });

  const style = (text: string): Resource => ({
    status: 200,
    contentType: 'text/css',
    location: '',
    body: Buffer.from(text),
  });

  test('an unanswered request costs the page its time limit and nothing else', async () => {
    find = () => new Promise(() => {});
    const never = parsedPage('<!doctype html><div style="height: 44px">x</div><img src=never.png>');
    const started = performance.now();
    const [late, other] = await Promise.all([layout.layOut(never), layout.layOut(parsedPage('<p>x'))]);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(late.problem).toMatchObject({ code: 'bad-layout', url: 'http://example.com/' });
    expect(boxesByName(never, late).div[3]).toBe(44);
    expect(other.problem).toBeUndefined();
  });

  test('endless imports of style sheets are cut off', async () => {
    let imports = 0;
    find = (url) => {
      imports++;
      const { pathname } = new URL(url);
      return style(
        `@import "${pathname.startsWith('/ring') ? '/ring.css' : `/endless-${imports}.css`}"; div { height: 44px }`,
      );
    };
    for (const first of ['/ring.css', '/endless.css']) {
      const parsed = parsedPage(`<!doctype html><link rel=stylesheet href=${first}><div>x</div>`);
      const { boxes, problem } = await layout.layOut(parsed);
      expect(boxes ?? problem?.code).toBeTruthy();
    }
    expect(imports).toBeLessThan(1100);
    find = () => null;
    expect((await layout.layOut(parsedPage('<p>x'))).problem).toBeUndefined();
  });

  /** Holds pages open until they are released. */
  function held(): { arrived: Promise<void>; release: () => void } {
    let release = () => {};
    const free = new Promise<Resource>((resolve) => {
      release = () => resolve(style('div { height: 55px }'));
    });
    const arrived = new Promise<void>((resolve) => {
      find = () => {
        resolve();
        return free;
      };
    });
    return { arrived, release };
  }
  const waiting = '<!doctype html><link rel=stylesheet href=slow.css><div>x</div>';

  test('a page that crashes its tab loses its boxes, and the next page has a new tab', async () => {
    const { arrived } = held();
    const lost = layout.layOut(parsedPage(waiting));
    await arrived;
    const before = layout.restarts;
    for (const { pid, type } of await layout.memory.processes())
      if (type === 'renderer') process.kill(pid, 'SIGKILL');
    expect(await lost).toMatchObject({ boxes: null, problem: { code: 'bad-layout' } });
    find = () => null;
    expect((await layout.layOut(parsedPage('<p>x'))).problem).toBeUndefined();
    expect(layout.restarts).toBe(before);
  });

  test('a browser that dies is restarted, and its pages are tried once more', async () => {
    const { arrived, release } = held();
    const parsed = parsedPage(waiting);
    const pages = [layout.layOut(parsed), layout.layOut(parsed), layout.layOut(parsed)];
    await arrived;
    const before = layout.restarts;
    for (const { pid, type } of await layout.memory.processes())
      if (type === 'browser') process.kill(pid, 'SIGKILL');
    release();
    for (const laidOut of await Promise.all(pages)) {
      expect(laidOut.problem).toBeUndefined();
      expect(boxesByName(parsed, laidOut).div[3]).toBe(55);
    }
    expect(layout.restarts).toBe(before + 1);
  });

  test('a browser that exceeds its memory limit is ended, and its page reports that', async () => {
    const { release } = held();
    const resources: Resources = { isEmpty: false, find: (url, time) => find(url, time) };
    const small = await BrowserLayout.open({ tabs: 1, memoryBytes: 1, resources });
    try {
      const { boxes, problem } = await small.layOut(parsedPage(waiting));
      expect(boxes).toBeNull();
      expect(problem?.message).toContain('memory limit of');
      expect(small.restarts).toBe(1); // it was tried once more, alone
    } finally {
      release();
      await small.close();
    }
  });
});
