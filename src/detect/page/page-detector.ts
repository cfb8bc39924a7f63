/**
 * The detector `page` judges each page alone, by a model trained on other sites. It learns nothing from a
 * site, so a site of one page works as well as one of thousands. Its site model only says which page-level
 * model to use: the packaged one unless another was given.
 */
import type { Range } from '../../model/range.ts';
import type { Detector, SiteModel } from '../detector.ts';
import {
  LearntPages,
  ModelFormatError,
  ModelReader,
  ModelWriter,
  readLearntSite,
  writeLearntSite,
} from '../model-bytes.ts';
import { PageJudge, type PageOptions } from './judge-page.ts';
import { decodePageModel, encodePageModel, type PageModel, packagedPageModel } from './page-model.ts';

/** Options of the page detector. */
export interface PageDetectorOptions extends PageOptions {
  /** Page-level model to use instead of the packaged one. */
  model?: PageModel;
}

/** Model of a site for the page detector. */
export interface PageSiteModel extends SiteModel {
  detector: 'page';
  /** JSON text of the page-level model; empty for the packaged one. */
  pageModel: string;
}

/** Returns a page detector. */
export function pageDetector({ model, ...options }: PageDetectorOptions = {}): Detector<PageSiteModel> {
  const own = model === undefined ? '' : encodePageModel(model);
  // a judge is created at first use, because callers that only list detectors need no model
  const judges = new Map<string, PageJudge>();
  if (model !== undefined) judges.set(own, new PageJudge(model, options));
  const judgeBy = (text: string): PageJudge => {
    let judge = judges.get(text);
    if (!judge) {
      judge = new PageJudge(text === '' ? packagedPageModel() : decodePageModel(text), options);
      judges.set(text, judge);
    }
    return judge;
  };
  return {
    name: 'page',
    learn(site, pages) {
      const learnt = new LearntPages();
      for (const parsed of pages) learnt.add(parsed);
      const { count, firstTime, lastTime, names } = learnt;
      return {
        detector: 'page',
        site,
        pagesLearnt: count,
        firstTime,
        lastTime,
        names,
        templates: [],
        pageModel: own,
      };
    },
    label: (parsed, { pageModel }, context): Range[] =>
      judgeBy(pageModel).judge(parsed, context?.boxes).ranges,
    encode(siteModel) {
      const writer = new ModelWriter();
      writeLearntSite(writer, siteModel);
      writer.text(siteModel.pageModel);
      return writer.finish();
    },
    decode(bytes) {
      const reader = new ModelReader(bytes);
      const learnt = readLearntSite(reader);
      const pageModel = reader.text();
      reader.end();
      checkText(pageModel);
      return { detector: 'page', ...learnt, templates: [], pageModel };
    },
  };
}

/** The last model text that was checked; all sites of a file have the same text. */
let soundText = '';

function checkText(text: string): void {
  if (text === soundText || text === '') return;
  try {
    decodePageModel(text);
  } catch (error) {
    throw new ModelFormatError(`its page-level model is damaged: ${(error as Error).message}`, {
      cause: error,
    });
  }
  soundText = text;
}
