/**
 * The verdict of last resort: a page judged alone by the package's model, where what its site shows cannot be
 * trusted. One judge for each thread, made when it is first needed.
 */
import type { Boxes } from '../../layout/boxes.ts';
import type { Range } from '../../model/range.ts';
import type { ParsedPage } from '../detector.ts';
import { PageJudge } from './judge-page.ts';
import { packagedPageModel } from './page-model.ts';

let judge: PageJudge | undefined;

export function judgeAlone(parsed: ParsedPage, boxes?: Boxes): Range[] {
  judge ??= new PageJudge(packagedPageModel());
  return judge.judge(parsed, boxes).ranges;
}
