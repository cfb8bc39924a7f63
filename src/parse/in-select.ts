/** The insertion mode inside a select, which takes options only. */
import { type Construction, IN_SELECT_IN_TABLE } from './construction.ts';
import { endTemplate, startInHead } from './in-head.ts';
import { isSection } from './in-table.ts';
import { TAG } from './tag-names.ts';
import { endTag, startTag } from './tree-builder.ts';

/** Start tags inside a select, which takes options only. */
export function startInSelect(build: Construction): void {
  const { open, tag } = build;
  if (build.mode === IN_SELECT_IN_TABLE && isSelectEnding(tag)) {
    build.closeByImplication(TAG.select);
    build.resetMode();
    startTag(build);
    return;
  }
  switch (tag) {
    case TAG.option:
      if (open.currentKey === TAG.option) open.pop(build.tokenStart);
      build.insertElement();
      return;
    case TAG.optgroup:
    case TAG.hr:
      if (open.currentKey === TAG.option) open.pop(build.tokenStart);
      if (open.currentKey === TAG.optgroup) open.pop(build.tokenStart);
      build.insertElement();
      if (tag === TAG.hr) open.pop(build.tokenEnd);
      return;
    case TAG.select:
    case TAG.input:
    case TAG.keygen:
    case TAG.textarea:
      if (!inSelectScope(build)) return;
      build.closeByImplication(TAG.select);
      build.resetMode();
      if (tag !== TAG.select) startTag(build);
      return;
    case TAG.script:
    case TAG.template:
      startInHead(build);
      return;
    default:
  }
}

export function endInSelect(build: Construction): void {
  const { open, tag } = build;
  if (build.mode === IN_SELECT_IN_TABLE && isSelectEnding(tag)) {
    if (!open.inTableScope(tag)) return;
    build.closeByImplication(TAG.select);
    build.resetMode();
    endTag(build);
    return;
  }
  switch (tag) {
    case TAG.option:
      if (open.currentKey === TAG.option) open.pop(build.tokenEnd);
      return;
    case TAG.optgroup:
      if (open.currentKey === TAG.option && open.key(open.depth - 2) === TAG.optgroup)
        open.pop(build.tokenStart);
      if (open.currentKey === TAG.optgroup) open.pop(build.tokenEnd);
      return;
    case TAG.select:
      if (!inSelectScope(build)) return;
      build.closeByEndTag(TAG.select);
      build.resetMode();
      return;
    case TAG.template:
      endTemplate(build);
      return;
    default:
  }
}

/** Only options and groups of them stand between here and the select. */
function inSelectScope({ open }: Construction): boolean {
  let index = open.depth - 1;
  while (open.key(index) === TAG.option || open.key(index) === TAG.optgroup) index--;
  return open.key(index) === TAG.select;
}

function isSelectEnding(tag: number): boolean {
  return (
    tag === TAG.table ||
    tag === TAG.tr ||
    tag === TAG.td ||
    tag === TAG.th ||
    tag === TAG.caption ||
    isSection(tag)
  );
}
