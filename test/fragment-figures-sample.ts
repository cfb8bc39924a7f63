/** Figures of shared fragments for tests of the report. */
import { COMPRESSION_METHODS } from '../src/fragments/dictionary/measure.ts';
import { type FragmentClass, RELATIONS, type Relation } from '../src/fragments/shared-page.ts';
import type { Distribution, FragmentFigures } from '../src/store/fragments/fragment-report.ts';

/** Six classes of each relation on 40 pages; `hostile` stands wherever pages bring their own text. */
export function sampleFragmentFigures({ hostile = '' } = {}): FragmentFigures {
  return {
    sites: 1,
    pages: 40,
    htmlBytes: 400_000,
    relations: RELATIONS.map((relation, at) => ({
      relation,
      classes: 6,
      composites: 2,
      members: 180,
      savedBytes: 90_000 + at,
      sharedPages: 39,
      sharedBytes: 200_000 + 50_000 * at,
    })),
    classes: RELATIONS.flatMap((relation) =>
      [0, 1, 2, 3, 4, 5].map((at) => sampleClass(relation, at, hostile)),
    ),
    members: RELATIONS.map((relation) =>
      distribution(relation, [
        [2, 3],
        [10, 4],
        [40, 6],
      ]),
    ),
    sizes: RELATIONS.map((relation) =>
      distribution(relation, [
        [300, 1],
        [900, 4],
        [12_000, 6],
      ]),
    ),
    fragments: RELATIONS.map((relation) =>
      distribution(relation, [
        [0, 1],
        [4, 30],
        [9, 40],
      ]),
    ),
    shares: RELATIONS.map((relation) =>
      distribution(relation, [
        [0, 1],
        [40, 10],
        [85.5, 40],
      ]),
    ),
    compression: {
      sites: [
        {
          site: `example.org${hostile}`,
          file: '',
          dictionaryBytes: 50_000,
          dictionarySha256: '',
          pagesUsed: 30,
          pagesHeldOut: 10,
          pagesMeasured: 10,
          methods: COMPRESSION_METHODS.map((method, at) => ({
            method,
            totalBytes: 100_000 / (at + 1),
            meanBytes: 10_000 / (at + 1),
            medianBytes: 9000 / (at + 1),
          })),
        },
      ],
    },
  };
}

function sampleClass(relation: Relation, at: number, hostile: string): FragmentClass {
  return {
    id: `${relation[0]}00000000000000${at}`,
    relation,
    kind: at % 3 === 0 ? 'composite' : 'primitive',
    parts: at % 3 === 0 ? 2 : 1,
    pages: 40 - at,
    members: 41 - at,
    sites: 1,
    avgBytes: 300.5 + 100 * at,
    avgCompleteBytes: 250.5 + 100 * at,
    structuralBytes: 120,
    savedBytes: (relation === 'complete' ? 20_000 : 21_000) - 2500 * at,
    place: `html > body > div#part${at}${hostile}`,
    text: at === 5 ? '' : `The text of part ${at}${hostile}`,
    page: at,
    site: 'example.org',
    url: `http://example.org/${at}${hostile}`,
  };
}

function distribution(relation: Relation, points: [number, number][]): Distribution {
  const total = points[points.length - 1][1];
  const atShare = (share: number): number => points.find(([, count]) => count >= share * total)![0];
  const largest = points[points.length - 1][0];
  return { relation, total, points, median: atShare(0.5), low: atShare(0.1), high: atShare(0.9), largest };
}
