/**
 * Which snippets stand in a text. White space of any kind and length counts as one space and
 * compatibility forms are folded; everything else, case included, must be as given.
 */

export interface Tally {
  hits: number;
  total: number;
}

export function countSnippets(text: string, snippets: readonly string[]): Tally {
  if (snippets.length === 0) return { hits: 0, total: 0 };
  const haystack = normaliseSpace(text);
  const hits = snippets.filter((snippet) => haystack.includes(normaliseSpace(snippet))).length;
  return { hits, total: snippets.length };
}

function normaliseSpace(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}
