/**
 * Redesigns of a part of a site: from some crawl on a block of the template, the files of the head, or the pages of one
 * kind look another way while the rest stays. What is new is taken from the template that the site would have in the
 * next era, as sites are modernised: block by block.
 */
import type { Chrome } from './chrome.ts';
import type { Era, Skin } from './skin.ts';

export const REDESIGN_PARTS = ['menu', 'side', 'footer', 'head', 'articles'] as const;
export type RedesignPart = (typeof REDESIGN_PARTS)[number];

export interface PartRedesign {
  /** The first crawl that finds it, from 0; it lasts to the end of the template generation. */
  crawl: number;
  part: RedesignPart;
}

/** The era that new parts are taken from; the last one looks back, as there is none after it. */
export const ERA_OF_PARTS: Record<Era, Era> = {
  tables: 'divs',
  divs: 'html5',
  html5: 'utility',
  utility: 'html5',
};

/** `chrome` with one part as `other` has it. */
export function redesignPart(chrome: Chrome, other: Chrome, part: RedesignPart): Chrome {
  switch (part) {
    case 'menu':
      return { ...chrome, menus: other.menus };
    case 'side':
      return { ...chrome, sideTop: other.sideTop, sideBottom: other.sideBottom };
    case 'footer':
      return { ...chrome, footer: other.footer };
    case 'head': {
      const skin = { ...chrome.skin, scripts: renameFiles(chrome.skin.scripts) };
      return { ...chrome, headTags: renameFiles(chrome.headTags), skin };
    }
    case 'articles': {
      const kindSkins = { ...chrome.kindSkins, article: withBodyOf(chrome.skin, other.skin) };
      const kindTop = { ...chrome.kindTop, article: other.kindTop.article };
      return { ...chrome, kindSkins, kindTop };
    }
  }
}

/** The same style sheets, scripts, icons and fonts under other names. */
function renameFiles(markup: string): string {
  return markup.replace(/\/([\w.-]+\.(?:css|js|ico|png|svg|woff2))\b/g, '/renewed-$1');
}

/** What a page says in other markup, between the same header, columns and footer. */
function withBodyOf(skin: Skin, other: Skin): Skin {
  const { bodyPartOpen, bodyPartClose, h1, h2, byline, figure, tagLine, quote, comment, teaser } = other;
  return { ...skin, bodyPartOpen, bodyPartClose, h1, h2, byline, figure, tagLine, quote, comment, teaser };
}
