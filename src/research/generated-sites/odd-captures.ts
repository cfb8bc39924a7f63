/**
 * What an archive holds besides good pages: pictures, redirects, missing pages, a style sheet, a repeat
 * visit to an unchanged page, on request a damaged record. None of them but the repeat visit gives a page.
 */
import type { GeneratedCapture } from './site-generator.ts';
import { digestOf, gzipMember, httpHeadOf, warcRecord } from './warc-writer.ts';

/** The smallest GIF there is: one transparent pixel. */
const PIXEL = Buffer.from(
  '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
  'hex',
);
const RESPONSE = 'application/http; msgtype=response';

/** Records that go with every nth page of a site; `number` counts its captures. */
export function oddRecords(capture: GeneratedCapture, number: number): Uint8Array[] {
  const origin = new URL(capture.url).origin;
  const { time } = capture;
  const respond = (
    path: string,
    status: string,
    mime: string,
    body: Uint8Array,
    more: [string, string][] = [],
  ) =>
    warcRecord(
      { type: 'response', time, url: origin + path, contentType: RESPONSE },
      httpHeadOf(status, [['Content-Type', mime], ...more, ['Content-Length', String(body.length)]]),
      body,
    );
  if (number % 25 === 3) return [respond(`/images/article/${number}.gif`, '200 OK', 'image/gif', PIXEL)];
  if (number % 25 === 8) {
    return [
      respond(`/old/${number}.html`, '301 Moved Permanently', 'text/html', new Uint8Array(), [
        ['Location', capture.url],
      ]),
    ];
  }
  if (number % 25 === 13) {
    const body = Buffer.from('<html><head><title>404</title></head><body><h1>404</h1></body></html>\n');
    return [respond(`/gone/${number}.html`, '404 Not Found', 'text/html; charset=utf-8', body)];
  }
  if (number % 25 === 18) {
    return [respond(`/theme/${number}.css`, '200 OK', 'text/css', Buffer.from('body { margin: 0 }\n'))];
  }
  return [];
}

/** Of some captures a second visit, an hour later, that found the page unchanged; it too is a page. */
export function repeatVisit(capture: GeneratedCapture, number: number): GeneratedCapture | undefined {
  if (number % 25 !== 23) return undefined;
  return {
    ...capture,
    time: `${new Date(Date.parse(capture.time) + 3_600_000).toISOString().slice(0, 19)}Z`,
  };
}

/** The record of a repeat visit: no body, it refers to the first one. */
export function revisitRecord(
  { url, html, charset, time }: GeneratedCapture,
  first: GeneratedCapture,
): Uint8Array {
  return warcRecord(
    {
      type: 'revisit',
      time,
      url,
      contentType: RESPONSE,
      fields: [
        ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
        ['WARC-Refers-To-Target-URI', url],
        ['WARC-Refers-To-Date', first.time],
        ['WARC-Payload-Digest', digestOf(html)],
      ],
    },
    httpHeadOf('200 OK', [['Content-Type', `text/html; charset=${charset}`]]),
    new Uint8Array(),
  );
}

/** A record whose gzip member has lost its tail: a reader must find the next member by itself. */
export function damagedMember(capture: GeneratedCapture): Uint8Array {
  const record = warcRecord(
    {
      type: 'response',
      time: capture.time,
      url: `${new URL(capture.url).origin}/damaged.html`,
      contentType: RESPONSE,
    },
    httpHeadOf('200 OK', [['Content-Type', 'text/html']]),
    capture.html,
  );
  const member = gzipMember(record);
  return member.subarray(0, Math.floor(member.length * 0.6));
}
