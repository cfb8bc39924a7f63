import { describe, expect, it } from 'vitest';
import type { Page } from '../../model/page.ts';
import { Parser } from '../../parse/parser.ts';
import { renderText } from '../../view/visible-text.ts';
import { jointDetector } from './joint-detector.ts';
import { encodeJointModel } from './joint-model.ts';
import type { LabelledSource } from './read-labelled-pages.ts';
import { trainJoint } from './train-joint.ts';

const WORDS = 'river stone window letter garden winter silver market corner bridge candle harvest'.split(' ');

/** Pages whose prose is in `div.zebra`; nothing else distinguishes it from the sentences around it. */
function source(host: number, k: number): LabelledSource {
  const prose = (seed: number) =>
    Array.from({ length: 30 }, (_, i) => WORDS[(seed * 7 + i * (seed + 3)) % WORDS.length]).join(' ');
  const text = `${prose(host * 5 + k)}, and so on.`;
  const html = `<title>Page ${k}</title><div class=ostrich><p>${prose(host * 5 + k + 50)}, and so on.</p></div><div class=zebra><p>${text}</p></div>`;
  return {
    url: `https://h${host}.example/${k}`,
    site: `h${host}.example`,
    set: 'made',
    source: new TextEncoder().encode(html),
    text,
  };
}

const SOURCES = Array.from({ length: 24 }, (_, i) => source(Math.floor(i / 3), i % 3));
const FEW = {
  first: { trees: 40, minLeafWeight: 0.01, l2: 0.01, featureShare: 1 },
  second: { trees: 20, minLeafWeight: 0.01, l2: 0.01, featureShare: 1 },
};

describe('training of the joint model', () => {
  it('gives the same bytes for the same pages', async () => {
    const text = encodeJointModel(await trainJoint(SOURCES, FEW));
    expect(encodeJointModel(await trainJoint(SOURCES, FEW))).toBe(text);
    expect(JSON.parse(text).card).toMatchObject({ pages: 24, hosts: 8, data: 'labelled pages of made' });
  });

  it('says on the card how good it is on hosts that it has not seen', async () => {
    const { card } = await trainJoint(SOURCES, { ...FEW, card: { name: 'zebra', date: '2026-11-30' } });
    expect(card).toMatchObject({ name: 'zebra', date: '2026-11-30', figures: { AUC: 1 } });
    expect(card.figures!['word F1']).toBeGreaterThan(0.95);
  });

  it('reports its progress, and stops on request', async () => {
    const shares: number[] = [];
    await trainJoint(SOURCES, { ...FEW, onShare: (share) => void shares.push(share) });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const stop = (share: number) => {
      if (share > 0.5) throw new Error('stopped');
    };
    await expect(trainJoint(SOURCES, { ...FEW, onShare: stop })).rejects.toThrow('stopped');
  });

  it('learns which names hold the text, for a host that it has not seen', async () => {
    const detector = jointDetector({ model: await trainJoint(SOURCES, FEW) });
    const { url, source: bytes, text } = source(99, 0);
    const parsed = () => ({
      page: { url, time: '', site: 'h99.example' } as Omit<Page, 'source'>,
      tree: new Parser().parse(bytes),
    });
    const model = detector.learn('h99.example', [parsed()]);
    const page = parsed();
    expect(renderText(page.tree, detector.label(page, model))).toBe(text);
  });

  it('learns the same from snippets to keep and to drop', async () => {
    const partial = SOURCES.map(({ text, ...page }) => {
      const [, other] = /<p>(.*?)<\/p>/.exec(new TextDecoder().decode(page.source))!;
      const part = (whole: string) => whole.split(' ').slice(2, 20).join(' ');
      return { ...page, snippets: { keep: [part(text!)], drop: [part(other)] } };
    });
    const detector = jointDetector({ model: await trainJoint(partial, FEW) });
    const { url, source: bytes, text } = source(99, 0);
    const page = {
      page: { url, time: '', site: 'h99.example' } as Omit<Page, 'source'>,
      tree: new Parser().parse(bytes),
    };
    const model = detector.learn('h99.example', []);
    expect(renderText(page.tree, detector.label(page, model))).toBe(text);
  });

  it('takes pages for no example whose gold is not on them', async () => {
    const wrong = SOURCES.map((page) => ({
      ...page,
      text: 'quite another text that is nowhere on the page',
    }));
    expect((await trainJoint(wrong, FEW)).first.roots).toHaveLength(0);
  });
});
