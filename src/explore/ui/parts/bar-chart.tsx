/** A chart of vertical bars, one per label; the table below it is for readers who cannot see it. */
import { scaleBand, scaleLinear } from 'd3-scale';

/** One bar with its label and value. */
export interface ChartBar {
  label: string;
  value: number;
  /** Text shown when the pointer is on the bar. */
  note?: string;
}

const HEIGHT = 150;
const FOOT = 34;
const SIDE = 52;
const WIDEST_BAR = 90;
/** Width in pixels of a character of a label. */
const CHARACTER = 7;

/** Shows a chart of bars. */
export function BarChart({
  title,
  bars,
  most = Math.max(0, ...bars.map(({ value }) => value)),
  format = String,
  width = 900,
}: {
  title: string;
  bars: ChartBar[];
  most?: number;
  format?: (value: number) => string;
  width?: number;
}) {
  const x = scaleBand(
    bars.map((_, k) => String(k)),
    [SIDE, width],
  ).paddingInner(0.15);
  // limit the width of a few bars
  const barWidth = Math.min(x.bandwidth(), WIDEST_BAR);
  const least = Math.min(0, ...bars.map(({ value }) => value));
  const y = scaleLinear([least, most || 1], [HEIGHT, 8]).nice(3);
  // leave out labels that would touch
  const every = Math.max(1, Math.ceil(bars.length / Math.floor((width - SIDE) / 90)));
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${HEIGHT + FOOT}`} role="img" aria-label={title}>
        {y.ticks(3).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={SIDE} x2={width} y1={y(tick)} y2={y(tick)} />
            <text class="tick" x={SIDE - 6} y={y(tick) + 4} text-anchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, note }, k) => (
          <g key={k}>
            <rect
              class="bar"
              x={(x(String(k)) ?? 0) + (x.bandwidth() - barWidth) / 2}
              width={Math.max(1, barWidth)}
              y={Math.min(y(0), y(value))}
              height={Math.max(1, Math.abs(y(0) - y(value)))}
            >
              <title>{`${label}: ${format(value)}${note ? `, ${note}` : ''}`}</title>
            </rect>
            {k % every === 0 && (
              <text
                class="tick"
                x={(x(String(k)) ?? 0) + x.bandwidth() / 2}
                y={HEIGHT + 16}
                text-anchor="middle"
              >
                {shortened(label, Math.floor((every * x.step()) / CHARACTER))}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}

function shortened(label: string, most: number): string {
  return label.length <= most ? label : `${label.slice(0, Math.max(1, most - 1))}…`;
}
