/** Thresholds of single sites as a CSV file has them, one `site,threshold` a line; Leśniak 2017 has 0.3 for one site. */

/** Throws a RangeError that names the line and what is expected of it. */
export function parseSiteThresholds(text: string): Record<string, number> {
  const thresholds: Record<string, number> = {};
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue;
    const [site, value, ...rest] = line.split(',').map((cell) => cell.trim());
    if (index === 0 && value === 'threshold') continue;
    const threshold = Number(value);
    if (!site || !value || rest.length > 0 || !(threshold >= 0 && threshold <= 1)) {
      throw new RangeError(`line ${index + 1} must be a site and a number from 0 to 1, not "${line}"`);
    }
    if (Object.hasOwn(thresholds, site))
      throw new RangeError(`line ${index + 1}: ${site} has a threshold already`);
    thresholds[site] = threshold;
  }
  return thresholds;
}
