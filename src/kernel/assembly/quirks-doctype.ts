/**
 * Detects doctypes that ask for quirks mode, in which a table may be inside a paragraph (HTML standard,
 * 13.2.6.4.1).
 */
import { b } from './builder.ts';
import { GREATER, SLASH, startsWith } from './scan-bytes.ts';

/** Maximum bytes of a doctype that are read. */
const MAX_BYTES: u32 = 1000;

/** Whether a Latin-1 byte is white space, by the definition of regular expressions. */
function isBlank(byte: u32): bool {
  return byte - 9 < 5 || byte === 0x20 || byte === 0xa0;
}
function skipBlanks(at: u32, limit: u32): u32 {
  while (at < limit && isBlank(load<u8>(at))) at++;
  return at;
}

/** Whether the doctype between two positions, from `<` to `>`, asks for quirks mode. */
export function isQuirksDoctype(start: u32, end: u32): bool {
  const limit = min(end, start + MAX_BYTES);
  const afterKeyword = start + 9;
  let at = afterKeyword;
  while (at < limit && (isBlank(load<u8>(at)) || load<u8>(at) === SLASH)) at++;
  const nameStart = at;
  while (at < limit && !isBlank(load<u8>(at)) && load<u8>(at) !== GREATER) at++;
  if (at - nameStart !== 4 || !startsWith(nameStart, 'html')) return true;
  at = skipBlanks(at, limit);
  const isPublic = at + 6 <= limit && startsWith(at, 'public');
  if (!isPublic && !(at + 6 <= limit && startsWith(at, 'system'))) {
    return nameStart !== skipBlanks(afterKeyword, limit) || at >= limit || load<u8>(at) !== GREATER;
  }
  at += 6;
  let idsEnd = at;
  while (idsEnd < limit && load<u8>(idsEnd) !== GREATER) idsEnd++;
  if (!findQuoted(at, idsEnd)) return true;
  if (!isPublic) return isQuirksSystemId();
  const publicStart = b.valueStart;
  const publicEnd = b.valueEnd;
  const hasSystemId = findQuoted(publicEnd + 1, idsEnd);
  if (hasSystemId && isQuirksSystemId()) return true;
  b.valueStart = publicStart;
  b.valueEnd = publicEnd;
  return isQuirksPublicId() || (!hasSystemId && isQuirksWithoutSystemId());
}

/** Finds the next quoted string, and fills `valueStart` and `valueEnd`. */
function findQuoted(start: u32, limit: u32): bool {
  for (let at = start; at < limit; at++) {
    const quote: u32 = load<u8>(at);
    if (quote !== 0x22 && quote !== 0x27) continue;
    let end = at + 1;
    while (end < limit && load<u8>(end) !== quote) end++;
    if (end >= limit) continue;
    b.valueStart = at + 1;
    b.valueEnd = end;
    return true;
  }
  return false;
}

function hasPrefix(prefix: string): bool {
  return b.valueEnd - b.valueStart >= <u32>prefix.length && startsWith(b.valueStart, prefix);
}
function equals(id: string): bool {
  return b.valueEnd - b.valueStart === <u32>id.length && startsWith(b.valueStart, id);
}

function isQuirksSystemId(): bool {
  return equals('http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd');
}
function isQuirksWithoutSystemId(): bool {
  return hasPrefix('-//w3c//dtd html 4.01 frameset//') || hasPrefix('-//w3c//dtd html 4.01 transitional//');
}
function isQuirksPublicId(): bool {
  return (
    equals('-//w3o//dtd w3 html strict 3.0//en//') ||
    equals('-/w3c/dtd html 4.0 transitional/en') ||
    equals('html') ||
    hasPrefix('+//silmaril//dtd html pro v0r11 19970101//') ||
    hasPrefix('-//as//dtd html 3.0 aswedit + extensions//') ||
    hasPrefix('-//advasoft ltd//dtd html 3.0 aswedit + extensions//') ||
    hasPrefix('-//ietf//dtd html') ||
    hasPrefix('-//metrius//dtd metrius presentational//') ||
    hasPrefix('-//microsoft//dtd internet explorer ') ||
    hasPrefix('-//netscape comm. corp.//dtd html//') ||
    hasPrefix('-//netscape comm. corp.//dtd strict html//') ||
    hasPrefix("-//o'reilly and associates//dtd html ") ||
    hasPrefix('-//sq//dtd html 2.0 hotmetal + extensions//') ||
    hasPrefix('-//softquad software//dtd hotmetal pro ') ||
    hasPrefix('-//softquad//dtd hotmetal pro ') ||
    hasPrefix('-//spyglass//dtd html 2.0 extended//') ||
    hasPrefix('-//sun microsystems corp.//dtd hotjava html//') ||
    hasPrefix('-//sun microsystems corp.//dtd hotjava strict html//') ||
    hasPrefix('-//w3c//dtd html 3 1995-03-24//') ||
    hasPrefix('-//w3c//dtd html 3.2 draft//') ||
    hasPrefix('-//w3c//dtd html 3.2 final//') ||
    hasPrefix('-//w3c//dtd html 3.2//') ||
    hasPrefix('-//w3c//dtd html 3.2s draft//') ||
    hasPrefix('-//w3c//dtd html 4.0 frameset//') ||
    hasPrefix('-//w3c//dtd html 4.0 transitional//') ||
    hasPrefix('-//w3c//dtd html experimental 19960712//') ||
    hasPrefix('-//w3c//dtd html experimental 970421//') ||
    hasPrefix('-//w3c//dtd w3 html//') ||
    hasPrefix('-//w3o//dtd w3 html 3.0//') ||
    hasPrefix('-//webtechs//dtd mozilla html 2.0//') ||
    hasPrefix('-//webtechs//dtd mozilla html//')
  );
}
