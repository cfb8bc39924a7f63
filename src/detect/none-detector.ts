/** The detector that finds nothing: every byte is content. The baseline, and the way to switch labels off. */
import type { Detector, SiteModel } from './detector.ts';
import { ByteReader, ByteWriter, LearntPages, readLearntSite, writeLearntSite } from './model-bytes.ts';
import { tileRanges } from './ranges.ts';

export interface NoneModel extends SiteModel {
  detector: 'none';
}

export function noneDetector(): Detector<NoneModel> {
  return {
    name: 'none',
    learn(site, pages) {
      const learnt = new LearntPages();
      for (const parsed of pages) learnt.add(parsed);
      const { count, firstTime, lastTime } = learnt;
      return { detector: 'none', site, pagesLearnt: count, firstTime, lastTime, templates: [] };
    },
    label: ({ tree }) => tileRanges(tree.source.length, []),
    encode(model) {
      const writer = new ByteWriter();
      writeLearntSite(writer, model);
      return writer.finish();
    },
    decode(bytes) {
      const reader = new ByteReader(bytes);
      const learnt = readLearntSite(reader);
      reader.end();
      return { detector: 'none', ...learnt, templates: [] };
    },
  };
}
