/**
 * Prints precision and recall of redesigns: `npx tsx scripts/evaluate-redesigns.ts truth.csv changes.jsonl…`, where the rows are those
 * of `chaff changes --only redesign --format jsonl`. score-redesigns.ts has the format of the list.
 */
import { readFileSync } from 'node:fs';
import { precisionAndRecall, readRedesignTruth, scoreRedesigns } from './score-redesigns.ts';

const [list, ...files] = process.argv.slice(2);
if (list === undefined || files.length === 0) {
  console.error('usage: npx tsx scripts/evaluate-redesigns.ts truth.csv changes.jsonl…');
  process.exit(2);
}
const rows = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
);
const scores = scoreRedesigns(readRedesignTruth(readFileSync(list, 'utf8')), rows);
const describe = (scored: typeof scores) => {
  const { precision, recall } = precisionAndRecall(scored);
  return `precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`;
};
for (const { site, listed, right, wrong, missed } of scores) {
  const rest = scores.filter((score) => score.site !== site);
  console.log(
    `${site}: ${right} of ${listed} found; missed ${missed.join(' ') || 'none'}; not listed ${wrong.join(' ') || 'none'}; without this site ${describe(rest)}`,
  );
}
console.log(describe(scores));
