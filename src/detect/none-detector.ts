/** The detector that labels every byte content: a baseline, and the way to turn labels off. */
import type { Detector, SiteModel } from './detector.ts';
import { LearntPages, ModelReader, ModelWriter, readLearntSite, writeLearntSite } from './model-bytes.ts';
import { tileRanges } from './ranges.ts';

/** Model of a site for the detector none; it has no templates. */
export interface NoneModel extends SiteModel {
  detector: 'none';
}

/** Returns a detector that labels every byte content. */
export function noneDetector(): Detector<NoneModel> {
  return {
    name: 'none',
    learn(site, pages) {
      const learnt = new LearntPages();
      for (const parsed of pages) learnt.add(parsed);
      const { count, firstTime, lastTime, names } = learnt;
      return { detector: 'none', site, pagesLearnt: count, firstTime, lastTime, names, templates: [] };
    },
    label: ({ tree }) => tileRanges(tree.source.length, []),
    encode(model) {
      const writer = new ModelWriter();
      writeLearntSite(writer, model);
      return writer.finish();
    },
    decode(bytes) {
      const reader = new ModelReader(bytes);
      const learnt = readLearntSite(reader);
      reader.end();
      return { detector: 'none', ...learnt, templates: [] };
    },
  };
}
