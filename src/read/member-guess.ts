/**
 * A survey may guess where the gzip members of pages end, instead of inflating them (`guessMemberEnd`). A guess holds
 * only once the member is inflated: the reader of a page whose guess does not hold throws a `WrongGuess`, and the run
 * starts again without guesses.
 */
export class WrongGuess extends Error {
  override name = 'WrongGuess';
  constructor() {
    super('a gzip member does not end where it seemed to');
  }
}
