/**
 * Places the labels of flags on a line of time: just above the flag, or one line higher where the label before leaves no
 * room. For the history of the report and of the explorer.
 */

/** Level of the label of each flag: 0, 1, or -1 where both levels are taken. `places` are the middles, in ascending order. */
export function flagLevels(places: readonly number[], width: number): number[] {
  const free = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return places.map((place) => {
    const level = free.findIndex((from) => place - width / 2 >= from);
    if (level >= 0) free[level] = place + width / 2;
    return level;
  });
}
