/** What reading an archive yields: pages, captures that give none, and problems between captures. */
import type { Capture, Page } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';

export type ReadEvent =
  | { kind: 'page'; page: Page; problems: Problem[] }
  | { kind: 'skip'; capture: Capture; code: SkipCode; problems: Problem[] }
  | { kind: 'problem'; problem: Problem };

/**
 * What a survey yields: every capture with where it lies, its body neither decoded nor kept. A capture
 * that looks like a page may still be skipped when its body is decoded.
 */
export type SurveyEvent =
  | { kind: 'page'; capture: SurveyedCapture; problems: Problem[] }
  | { kind: 'skip'; capture: Capture; code: SkipCode; problems: Problem[] }
  | { kind: 'problem'; problem: Problem };

export interface SurveyedCapture extends Capture {
  site: string;
  /** For a revisit: what it says of the capture that holds its body. */
  revisit?: { payloadDigest: string; url: string; time: string };
}
