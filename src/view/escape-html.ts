/** Escapes text for HTML, both between tags and in quoted attributes. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes markup and removes control characters, which are not allowed in HTML. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]/g, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character]);
}
