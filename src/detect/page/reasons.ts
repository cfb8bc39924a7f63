/**
 * Why a node is judged as it is, in words: the features that are on the template side of this page and that the
 * model gives most weight to. A saying is used only where it is true of the node, whatever the model learnt.
 */
import { FEATURES } from './feature-list.ts';
import type { PageModel } from './page-model.ts';

export class Reasons {
  /** Columns that have something to say, weightiest first, with the direction that speaks for template. */
  readonly #columns: { column: number; importance: number; template: number; content: number }[];

  constructor({ importance, templateMean, contentMean }: PageModel) {
    this.#columns = FEATURES.map((_, column) => ({
      column,
      importance: Math.max(importance[column] ?? 0, 1e-6),
      template: templateMean[column] ?? 0,
      content: contentMean[column] ?? 0,
    })).filter(({ column }) => FEATURES[column].says.length > 0);
  }

  /** `page-level score 0.93: mostly links, in the left margin`. */
  reasonOf(score: number, values: Float32Array, offset: number): string {
    // the two weightiest; of equal ones the first
    let first = '';
    let second = '';
    let firstWeight = 0;
    let secondWeight = 0;
    for (const { column, importance, template, content } of this.#columns) {
      const value = values[offset + column];
      const towards = template > content;
      for (const { above, bound, phrase } of FEATURES[column].says) {
        if (above !== towards || (above ? value <= bound : value >= bound)) continue;
        const side = Math.min(1.5, (value - content) / (template - content));
        if (!(side > 0.5)) continue;
        const weight = importance * side;
        if (weight > firstWeight) {
          second = first;
          secondWeight = firstWeight;
          first = phrase;
          firstWeight = weight;
        } else if (weight > secondWeight) {
          second = phrase;
          secondWeight = weight;
        }
      }
    }
    const figure = `page-level score ${score.toFixed(2)}`;
    if (first === '') return figure;
    return second === '' ? `${figure}: ${first}` : `${figure}: ${first}, ${second}`;
  }
}
