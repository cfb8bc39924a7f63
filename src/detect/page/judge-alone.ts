/**
 * The verdict of last resort: a page judged alone, where what its site shows cannot be trusted. One judge for each
 * set of options, made when it is first needed.
 */
import type { Range } from '../../model/range.ts';
import type { ParsedPage } from '../detector.ts';
import { PageJudge } from './judge-page.ts';
import type { PageDetectorOptions } from './page.ts';
import { packagedPageModel } from './page-model.ts';

const PACKAGED: PageDetectorOptions = {};
const judges = new WeakMap<PageDetectorOptions, PageJudge>();
/** The last verdict: several detectors may fall back on one page. */
let last: { parsed: ParsedPage; options: PageDetectorOptions; ranges: Range[] } | undefined;

export function judgeAlone(parsed: ParsedPage, options: PageDetectorOptions = PACKAGED): Range[] {
  if (last?.parsed !== parsed || last.options !== options) {
    last = { parsed, options, ranges: judgeOf(options).judge(parsed).ranges };
  }
  return [...last.ranges];
}

function judgeOf(options: PageDetectorOptions): PageJudge {
  let judge = judges.get(options);
  if (!judge) {
    const { model = packagedPageModel(), ...own } = options;
    judges.set(options, (judge = new PageJudge(model, own)));
  }
  return judge;
}
