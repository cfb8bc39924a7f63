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

  /** Begins a deflate stream at `input` that is inflated to `output`. */
  beginInflate(input: number, output: number): void;
  /** Inflates as far as input and output reach; results 0 and 1 are the ends of the used input and of the output. */
  inflate(inputEnd: number, isWhole: boolean, outputStart: number, outputLimit: number): number;
  /** Says that the host has moved the rest of the input and the end of the output by so many bytes. */
  moveInflate(inputBy: number, outputBy: number): void;

  /** Write integers in Parquet's encodings, and return the address after the last byte. */
  packGroups(from: number, to: number, width: number, output: number): number;
  packRuns(numbers: number, count: number, width: number, output: number): number;
  packDeltas(numbers: number, count: number, output: number): number;
  /** Results 0 and 1 are the least and the largest of the numbers. */
  findBounds(numbers: number, count: number): void;

  /** Compresses a slice of bytes; returns the address of the last byte, of which result 0 tells the bits. */
  deflate(input: number, end: number, isLast: boolean, output: number, bits: number): number;
  /** Makes the Huffman code of symbols that occur so often; see assembly/deflate.ts. */
  makeCode(counts: number, symbols: number, lengths: number, codes: number, maxBits: number): void;
  /** The address after the static data. */
  staticEnd(): number;
}
