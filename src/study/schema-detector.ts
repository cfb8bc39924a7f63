/**
 * Whose templates make the schemas of a site. `joint` judges block by block, and what it leaves out may be on one page only, so
 * that nearly every page would be a schema of its own: beside it, `dom` makes them.
 */
export function schemaDetectorOf(detector: string, detectors: readonly string[]): string {
  return detector === 'joint' && detectors.includes('dom') ? 'dom' : detector;
}
