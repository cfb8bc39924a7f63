/** A cumulative distribution as a plot: the share of things that are at most so large, a line per relation. */
import type { Distribution } from '../store/fragments/fragment-report.ts';
import type { Axis } from './figures/axis.ts';
import { renderPlot } from './figures/plot.ts';

export interface PlotOptions {
  /** What lies on the horizontal axis, with its unit: `average size of a fragment, bytes`. */
  xLabel: string;
  /** What is counted: `classes`. */
  yLabel: string;
  /** `log` from the smallest value; `log from zero` has a place for 0; `percent` is 0 to 100. */
  scale: 'log' | 'log from zero' | 'percent';
  formatX: (value: number) => string;
  /** Told to those who cannot see the picture. */
  description: string;
}

export function renderDistributions(
  distributions: readonly Distribution[],
  { xLabel: label, yLabel, scale, formatX: format, description }: PlotOptions,
): string {
  const x: Axis =
    scale === 'percent' ? { label, format, scale: 'linear', from: 0, to: 100 } : { label, format, scale };
  const series = distributions
    .filter(({ total }) => total > 0)
    .map(({ relation, points, total }) => ({
      name: relation,
      kind: 'steps' as const,
      look: `line ${relation}`,
      points: points.map(([value, count]): [number, number] => [value, count / total]),
    }));
  const y: Axis = { label: `share of ${yLabel}`, scale: 'share' };
  return renderPlot({ x, y, series, withoutLegend: true }, { description });
}
