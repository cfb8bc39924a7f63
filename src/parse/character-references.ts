/** Character references (`&amp;`, `&#8217;`, `&copy` without its semicolon) to the characters they stand for. */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

/** Decodes references in text. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}

/** Decodes references in an attribute's value, where `&copy=1` is part of a query and not a reference. */
export function decodeAttribute(value: string): string {
  return value.includes('&') ? decodeHTMLAttribute(value) : value;
}
