/** The insertion mode inside a select, which accepts options only. */
import { ELEMENT_BYTES } from '../layout.ts';
import { b } from './builder.ts';
import { endTemplate, startInHead } from './in-head.ts';
import { isSection } from './in-table.ts';
import { closeByEndTag, closeByImplication, insertElement, resetMode } from './insert-nodes.ts';
import * as Mode from './insertion-modes.ts';
import { currentKey, inTableScope, keyOf, pop } from './open-elements.ts';
import { Tag } from './tag-table.ts';
import { endTag, startTag } from './tokens.ts';

/** Handles a start tag in a select. */
export function startInSelect(): void {
  const tag = b.tag;
  if (b.mode === Mode.IN_SELECT_IN_TABLE && isSelectEnding(tag)) {
    closeByImplication(Tag.select);
    resetMode();
    startTag();
    return;
  }
  switch (tag) {
    case Tag.option:
      if (currentKey() === Tag.option) pop(b.tokenStart);
      insertElement();
      return;
    case Tag.optgroup:
    case Tag.hr:
      if (currentKey() === Tag.option) pop(b.tokenStart);
      if (currentKey() === Tag.optgroup) pop(b.tokenStart);
      insertElement();
      if (tag === Tag.hr) pop(b.tokenEnd);
      return;
    case Tag.select:
    case Tag.input:
    case Tag.keygen:
    case Tag.textarea:
      if (!isInSelectScope()) return;
      closeByImplication(Tag.select);
      resetMode();
      if (tag !== Tag.select) startTag();
      return;
    case Tag.script:
    case Tag.template:
      startInHead();
      return;
    default:
      return;
  }
}

/** Handles an end tag in a select. */
export function endInSelect(): void {
  const tag = b.tag;
  if (b.mode === Mode.IN_SELECT_IN_TABLE && isSelectEnding(tag)) {
    if (!inTableScope(tag)) return;
    closeByImplication(Tag.select);
    resetMode();
    endTag();
    return;
  }
  switch (tag) {
    case Tag.option:
      if (currentKey() === Tag.option) pop(b.tokenEnd);
      return;
    case Tag.optgroup:
      if (currentKey() === Tag.option && keyOf(b.top - ELEMENT_BYTES) === Tag.optgroup) pop(b.tokenStart);
      if (currentKey() === Tag.optgroup) pop(b.tokenEnd);
      return;
    case Tag.select:
      if (!isInSelectScope()) return;
      closeByEndTag(Tag.select);
      resetMode();
      return;
    case Tag.template:
      endTemplate();
      return;
    default:
      return;
  }
}

/** Whether only options and groups of options are open inside the select. */
function isInSelectScope(): bool {
  let element = b.top;
  while (keyOf(element) === Tag.option || keyOf(element) === Tag.optgroup) element -= ELEMENT_BYTES;
  return keyOf(element) === Tag.select;
}

function isSelectEnding(tag: u32): bool {
  switch (tag) {
    case Tag.table:
    case Tag.tr:
    case Tag.td:
    case Tag.th:
    case Tag.caption:
      return true;
    default:
      return isSection(tag);
  }
}
