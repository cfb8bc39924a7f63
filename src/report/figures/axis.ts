/** Places values on the axes of plots, and chooses the ticks. */

/** Scale, label and ends of an axis. */
export interface Axis {
  label: string;
  /**
   * Scale: `log from zero` has a place for 0; `time` is in milliseconds since 1970; `share` starts at 0 and is
   * shown in per cent.
   */
  scale: 'linear' | 'log' | 'log from zero' | 'time' | 'share';
  /**
   * Ends of a linear axis when the data should not determine them; `from` 0 alone extends the axis to a round
   * number. For shares, `to` is the end. @default 1
   */
  from?: number;
  to?: number;
  /** Formats the numbers. @default `100`, `5k`, `2M` */
  format?: (value: number) => string;
}

/** An axis with coordinates of values and its ticks. */
export interface PlacedAxis {
  place: (value: number) => number;
  ticks: { at: number; text: string }[];
}

const MAX_TICKS = 7;
const DAY = 86_400_000;
const YEAR = 365.25 * DAY;
/** Half of the range of an axis around a single value. */
const AROUND_ONE: Record<Axis['scale'], [below: number, above: number]> = {
  linear: [0, 1],
  log: [0, 0],
  'log from zero': [0, 1],
  time: [YEAR / 2, YEAR / 2],
  share: [0, 0],
};

/** Places values between two coordinates. */
export function placeAxis(axis: Axis, values: readonly number[], start: number, end: number): PlacedAxis {
  const { scale } = axis;
  let [from, to] = endsOf(axis, values);
  if (to <= from && scale === 'log') to = from * 10;
  else if (to <= from) [from, to] = [from - AROUND_ONE[scale][0], from + AROUND_ONE[scale][1]];
  const of = (value: number): number => {
    if (scale === 'log') return Math.log10(Math.max(value, from));
    return scale === 'log from zero' ? Math.log10(Math.max(value, from) + 1) : value;
  };
  const span = of(to) - of(from);
  const place = (value: number): number => start + ((end - start) * (of(value) - of(from))) / span;
  return { place, ticks: ticksOf(axis, from, to).map(({ value, text }) => ({ at: place(value), text })) };
}

function endsOf({ scale, from, to }: Axis, values: readonly number[]): [number, number] {
  if (scale === 'share') return [0, to ?? 1];
  const usable = values.filter((value) => Number.isFinite(value) && (scale !== 'log' || value > 0));
  if (scale === 'log from zero') return [0, most(usable, 1)];
  const end = to ?? most(usable, 1);
  if (scale === 'linear' && from === 0 && to === undefined) return [0, roundedUp(end)];
  return [from ?? least(usable, scale === 'log' ? 1 : 0), end];
}

/** Returns the tick at or above a number; a mark above the last tick could not be read. */
function roundedUp(end: number): number {
  const step = roundStep(end / MAX_TICKS);
  return Math.ceil(end / step - 1e-9) * step;
}

interface Tick {
  value: number;
  text: string;
}

function ticksOf({ scale, format = shortNumber }: Axis, from: number, to: number): Tick[] {
  const tickAt = (value: number): Tick => ({ value, text: format(value) });
  if (scale === 'share') return shareTicks(to);
  if (scale === 'log') return logTicks(from, to).map(tickAt);
  if (scale === 'log from zero') return [0, ...logTicks(1, to)].map(tickAt);
  if (scale === 'time') return timeTicks(from, to);
  const step = roundStep((to - from) / MAX_TICKS);
  const ticks: Tick[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++) ticks.push(tickAt(k * step));
  return ticks;
}

/** Returns the end of an axis of shares: 1 when they reach a half, else a round share just above them. */
export function endOfShares(shares: readonly number[]): number {
  const largest = most(shares, 1);
  if (largest <= 0 || largest >= 0.5) return 1;
  const step = shareStep(largest);
  return Math.ceil(largest / step - 1e-9) * step;
}

/** Returns a share in per cent, such as `1.5 %`. */
export function formatShareTick(share: number): string {
  return `${round3(100 * share)}\u00a0%`;
}

function shareTicks(to: number): Tick[] {
  const step = to === 1 ? 0.25 : shareStep(to);
  const count = Math.floor(to / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, k) => ({ value: k * step, text: formatShareTick(k * step) }));
}

function shareStep(to: number): number {
  return roundStep(to / 5);
}

/** Returns ticks 1, 2, 5, 10, 20 … if they fit, else 1, 3, 10 …, else powers of ten. */
function logTicks(from: number, to: number): number[] {
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++) {
      for (const step of steps) {
        const value = step * 10 ** power;
        if (value >= from * 0.999 && value <= to * 1.001) ticks.push(value);
      }
    }
    if (ticks.length <= MAX_TICKS + 1) return ticks;
  }
  const powers: number[] = [];
  const every = Math.ceil(Math.log10(to / from) / MAX_TICKS);
  for (let power = Math.ceil(Math.log10(from)); power <= Math.log10(to); power += every)
    powers.push(10 ** power);
  return powers;
}

/** Returns ticks at years, or at months of a shorter time. */
function timeTicks(from: number, to: number): Tick[] {
  const firstYear = new Date(from).getUTCFullYear();
  const lastYear = new Date(to).getUTCFullYear();
  if (lastYear - firstYear >= 2) {
    const every = Math.ceil((lastYear - firstYear + 1) / MAX_TICKS);
    const ticks: Tick[] = [];
    for (let year = firstYear; year <= lastYear; year++) {
      const value = Date.UTC(year, 0, 1);
      if (year % every === 0 && value >= from && value <= to) ticks.push({ value, text: String(year) });
    }
    return ticks;
  }
  const months = (to - from) / (YEAR / 12);
  const every = Math.max(1, Math.ceil(months / MAX_TICKS));
  const ticks: Tick[] = [];
  for (let month = 0; ; month += every) {
    const value = Date.UTC(firstYear, month, 1);
    if (value > to) return ticks;
    if (value >= from) ticks.push({ value, text: new Date(value).toISOString().slice(0, 7) });
  }
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5].find((each) => each * power >= step) ?? 10);
}

/** Returns a short number for an axis: `100`, `5k`, `2M`. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${round3(value / 1e9)}G`;
  if (size >= 1e6) return `${round3(value / 1e6)}M`;
  return size >= 1e4 ? `${round3(value / 1e3)}k` : String(round3(value));
}

function round3(value: number): number {
  return Number(value.toPrecision(3));
}

// loops, because these arrays are too long to spread into arguments
function least(values: readonly number[], otherwise: number): number {
  return values.length === 0 ? otherwise : values.reduce((a, b) => Math.min(a, b));
}

function most(values: readonly number[], otherwise: number): number {
  return values.length === 0 ? otherwise : values.reduce((a, b) => Math.max(a, b));
}
