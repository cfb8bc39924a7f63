/**
 * Whether a doctype asks for quirks mode, in which a table may stand inside a paragraph (HTML standard,
 * 13.2.6.4.1). Asked once per page.
 */

const QUIRKS_PUBLIC_PREFIXES = [
  '+//silmaril//dtd html pro v0r11 19970101//',
  '-//as//dtd html 3.0 aswedit + extensions//',
  '-//advasoft ltd//dtd html 3.0 aswedit + extensions//',
  '-//ietf//dtd html',
  '-//metrius//dtd metrius presentational//',
  '-//microsoft//dtd internet explorer ',
  '-//netscape comm. corp.//dtd html//',
  '-//netscape comm. corp.//dtd strict html//',
  "-//o'reilly and associates//dtd html ",
  '-//sq//dtd html 2.0 hotmetal + extensions//',
  '-//softquad software//dtd hotmetal pro ',
  '-//softquad//dtd hotmetal pro ',
  '-//spyglass//dtd html 2.0 extended//',
  '-//sun microsystems corp.//dtd hotjava html//',
  '-//sun microsystems corp.//dtd hotjava strict html//',
  '-//w3c//dtd html 3 1995-03-24//',
  '-//w3c//dtd html 3.2 draft//',
  '-//w3c//dtd html 3.2 final//',
  '-//w3c//dtd html 3.2//',
  '-//w3c//dtd html 3.2s draft//',
  '-//w3c//dtd html 4.0 frameset//',
  '-//w3c//dtd html 4.0 transitional//',
  '-//w3c//dtd html experimental 19960712//',
  '-//w3c//dtd html experimental 970421//',
  '-//w3c//dtd w3 html//',
  '-//w3o//dtd w3 html 3.0//',
  '-//webtechs//dtd mozilla html 2.0//',
  '-//webtechs//dtd mozilla html//',
];
const QUIRKS_PUBLIC_IDS = [
  '-//w3o//dtd w3 html strict 3.0//en//',
  '-/w3c/dtd html 4.0 transitional/en',
  'html',
];
const QUIRKS_WITHOUT_SYSTEM_ID = ['-//w3c//dtd html 4.01 frameset//', '-//w3c//dtd html 4.01 transitional//'];
const QUIRKS_SYSTEM_ID = 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd';

// the pages of a site have one doctype
let lastDoctype = new Uint8Array(0);
let lastAnswer = true;

/** Whether the doctype at `[start, end)`, from `<` to `>`, means quirks mode. */
export function isQuirksDoctype(source: Uint8Array, start: number, end: number): boolean {
  if (!isLastDoctype(source, start, end)) {
    lastAnswer = isQuirks(source, start, end);
    lastDoctype = source.slice(start, end);
  }
  return lastAnswer;
}

function isLastDoctype(source: Uint8Array, start: number, end: number): boolean {
  const last = lastDoctype;
  if (last.length !== end - start) return false;
  for (let i = 0; i < last.length; i++) if (source[start + i] !== last[i]) return false;
  return true;
}

function isQuirks(source: Uint8Array, start: number, end: number): boolean {
  const text = String.fromCharCode(...source.subarray(start, Math.min(end, start + 1000))).toLowerCase();
  const doctype = /^<!doctype[\s/]*([^\s>]*)\s*(?:(public|system)\s*([^>]*))?/.exec(text);
  if (doctype?.[1] !== 'html') return true;
  if (!doctype[2]) return !/^<!doctype\s*html\s*>/.test(text);
  const ids = [...doctype[3].matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => match[1] ?? match[2]);
  if (ids.length === 0) return true;
  const publicId = doctype[2] === 'public' ? ids[0] : undefined;
  const systemId = doctype[2] === 'public' ? ids[1] : ids[0];
  if (systemId === QUIRKS_SYSTEM_ID) return true;
  if (publicId === undefined) return false;
  return (
    QUIRKS_PUBLIC_IDS.includes(publicId) ||
    QUIRKS_PUBLIC_PREFIXES.some((prefix) => publicId.startsWith(prefix)) ||
    (systemId === undefined && QUIRKS_WITHOUT_SYSTEM_ID.some((prefix) => publicId.startsWith(prefix)))
  );
}
