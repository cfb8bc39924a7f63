/**
 * The work that finding records may take in one input beyond reading its bytes once. After damage the next record is
 * found by trying every place that looks like its start, and a hostile file consists of such places. The budget
 * grows with the size of the input, so that reading stays linear in it.
 */

/** Bytes examined or inflated in vain that every input may cost: about a tenth of a second. */
const BASE_BYTES = 32 * 1024 * 1024;
/** … and so many more for each byte of the input. */
const PER_INPUT_BYTE = 32;

export class SearchBudget {
  #leftBytes: number;

  constructor(inputBytes: number) {
    this.#leftBytes = BASE_BYTES + PER_INPUT_BYTE * inputBytes;
  }

  /** Counts bytes that were examined or inflated to no avail. */
  spend(bytes: number): void {
    this.#leftBytes -= bytes;
  }

  /** Whether the search must be given up: what is left of the input is then reported as lost. */
  get isSpent(): boolean {
    return this.#leftBytes < 0;
  }
}
