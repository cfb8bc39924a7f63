/** The functions that `assembly/index.ts` exports, as the host calls them. Addresses and sizes are in bytes. */
export interface KernelFunctions {
  /** Hashes the bytes between two addresses; results 0 and 1 are the low and the high lane. */
  hashBytes(start: number, end: number): void;
  /** Renders the visible text of a page; see assembly/text.ts. Returns 0, or the address of an unknown reference. */
  renderText(
    page: number,
    ranges: number,
    tables: number,
    out: number,
    isJson: number,
    resumed: number,
  ): number;
  /** Writes the sums of all leaves for each of `count` rows; see assembly/tree.ts. */
  scoreTrees(model: number, rows: number, offsets: number, count: number, sums: number): void;
}
