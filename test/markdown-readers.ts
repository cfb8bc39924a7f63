/** What programs that read Markdown make of it, with raw HTML let through, and the elements and text of the result. */
import markdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { escapeHtml } from '../src/view/escape-html.ts';

const plain = markdownIt({ html: true });
const linking = markdownIt({ html: true, linkify: true });

/** Readers of CommonMark with GFM: Markdown to HTML. The one with math writes a formula as an element `tex`. */
export const READERS = {
  micromark: (markdown: string) =>
    micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true }),
  math: (markdown: string) =>
    micromark(markdown, {
      extensions: [gfm(), math()],
      htmlExtensions: [gfmHtml(), texHtml()],
      allowDangerousHtml: true,
    }),
  'markdown-it': (markdown: string) => plain.render(markdown),
  linkify: (markdown: string) => linking.render(markdown),
  marked: (markdown: string) => marked.parse(markdown, { async: false }),
} as const satisfies Record<string, (markdown: string) => string>;

/** Writes TeX, which the extension hands on raw, between tags. */
function texHtml(): ReturnType<typeof gfmHtml> {
  const texts: string[] = [];
  return {
    enter: {
      mathFlow: () => void texts.push(''),
      mathText: () => void texts.push(''),
    },
    exit: {
      mathFlowValue(token) {
        texts.push(`${texts.pop()}${this.sliceSerialize(token)} `);
      },
      mathTextData(token) {
        texts.push(`${texts.pop()}${this.sliceSerialize(token)} `);
      },
      mathFlowFenceMeta(token) {
        texts.push(`${texts.pop()}${this.sliceSerialize(token)} `);
      },
      mathFlow() {
        this.raw(`<tex>${escapeHtml(texts.pop() ?? '')}</tex>`);
      },
      mathText() {
        this.raw(`<tex>${escapeHtml(texts.pop() ?? '')}</tex>`);
      },
    },
  };
}

/** An element of HTML that a reader has written, as a browser would parse it. */
export interface ReadElement {
  name: string;
  attributes: Record<string, string>;
  /** The text inside it. */
  text: string;
}

/** The elements of HTML in document order, and all its text. */
export function readHtml(html: string): { elements: ReadElement[]; text: string } {
  const elements: ReadElement[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ChildNode): string => {
    if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
    if (!('tagName' in node)) {
      elements.push({ name: node.nodeName, attributes: {}, text: '' });
      return '';
    }
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    const element = { name: node.tagName, attributes, text: '' };
    elements.push(element);
    element.text = node.childNodes.map(visit).join('');
    return element.text;
  };
  return { text: parseFragment(html).childNodes.map(visit).join(''), elements };
}
