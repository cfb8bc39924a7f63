/**
 * Returns styles, images and fonts of the archive for a framed page, by URL and time. Only these types are served,
 * under media types that browsers do not guess; addresses in style sheets are rewritten to the archive as well.
 */
import type { Resources } from '../../browse/resources.ts';
import { BaseUrl } from '../../model/resolve-url.ts';
import type { Resource } from '../../read/read-resource.ts';
import type { FrameOptions } from './render-frame.ts';
import { rewriteStyle } from './rewrite-style.ts';

/** Contents and media type of a resource. */
export interface FrameResource {
  contentType: string;
  body: Uint8Array;
}

/** Maximum number of redirects that are followed. */
const MAX_REDIRECTS = 5;
/** Largest style sheet in bytes. */
const MAX_STYLE_BYTES = 4 * 1024 * 1024;

const TYPES: readonly [pattern: RegExp, written: string][] = [
  [/^image\/(?:png|x-png)$/, 'image/png'],
  [/^image\/(?:jpe?g|pjpeg)$/, 'image/jpeg'],
  [/^image\/gif$/, 'image/gif'],
  [/^image\/webp$/, 'image/webp'],
  [/^image\/avif$/, 'image/avif'],
  [/^image\/(?:bmp|x-ms-bmp)$/, 'image/bmp'],
  [/^image\/(?:x-icon|vnd\.microsoft\.icon)$/, 'image/x-icon'],
  [/^image\/svg\+xml$/, 'image/svg+xml'],
  [/^(?:font\/|application\/(?:x-)?font-?|application\/vnd\.ms-fontobject)/, 'font/woff2'],
];

/** Media types by first bytes, for servers that sent `application/octet-stream` or none. */
const SIGNATURES: readonly [hex: string, type: string][] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['774f4646', 'font/woff2'],
  ['774f4632', 'font/woff2'],
  ['00010000', 'font/woff2'],
  ['4f54544f', 'font/woff2'],
];

/** Time and kind of a requested resource. */
export interface FrameResourceOptions {
  /** Time of the page. */
  time: string;
  /** Kind of the request; an image request can be for a font too. */
  kind: 'style' | 'image';
  /** Rewrites a style sheet for the frame. */
  rewrite: (style: ArchivedStyle) => Promise<string>;
}

/** A style sheet as the archive has it. */
export interface ArchivedStyle {
  url: string;
  contentType: string;
  body: Uint8Array;
}

/** Returns a resource for a frame; undefined when the archive lacks it or has another type at this URL. */
export async function readFrameResource(
  resources: Resources,
  url: string,
  { time, kind, rewrite }: FrameResourceOptions,
): Promise<FrameResource | undefined> {
  let at = url;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const found = await resources.find(at, time);
    if (found === null) return undefined;
    if (found.status >= 300 && found.status < 400) {
      const next = new BaseUrl(at).resolve(found.location);
      if (found.location === '' || next === undefined || !/^https?:/.test(next)) return undefined;
      at = next;
      continue;
    }
    if (found.status >= 400) return undefined;
    if (kind === 'image') return imageOf(found);
    const { contentType, body } = found;
    // a page with status 404 is not a style sheet
    if (body.length > MAX_STYLE_BYTES || /^text\/html\b/i.test(contentType.trim())) return undefined;
    const css = await rewrite({ url: at, contentType, body });
    return { contentType: 'text/css; charset=utf-8', body: Buffer.from(css) };
  }
  return undefined;
}

function imageOf({ contentType, body }: Resource): FrameResource | undefined {
  const declared = contentType.split(';', 1)[0].trim().toLowerCase();
  const known = TYPES.find(([pattern]) => pattern.test(declared))?.[1];
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(4, body.length)).toString('hex');
  const type = known ?? SIGNATURES.find(([hex]) => head.startsWith(hex))?.[1];
  return type === undefined ? undefined : { contentType: type, body };
}

/** Returns a style sheet with the addresses of the frame. */
export function readStyle(
  { url, contentType, body }: ArchivedStyle,
  resourceOf: FrameOptions['resourceOf'],
): string {
  const base = new BaseUrl(url);
  return rewriteStyle(decoderOf(contentType).decode(body), (written, kind) => {
    if (/^data:(?:image|font|application\/(?:x-)?font)/i.test(written)) return written;
    const address = /^data:/i.test(written) ? undefined : base.resolve(written);
    return address !== undefined && /^(?:https?|file):/i.test(address)
      ? resourceOf(address, kind)
      : undefined;
  });
}

function decoderOf(contentType: string): InstanceType<typeof TextDecoder> {
  const charset = /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
