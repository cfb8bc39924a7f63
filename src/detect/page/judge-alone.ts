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

export function judgeAlone(parsed: ParsedPage, options: PageDetectorOptions = PACKAGED): Range[] {
  let judge = judges.get(options);
  if (!judge) {
    const { model = packagedPageModel(), ...own } = options;
    judges.set(options, (judge = new PageJudge(model, own)));
  }
  return judge.judge(parsed).ranges;
}
