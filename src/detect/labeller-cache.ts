/**
 * Labellers by model. A model is plain data; to label pages with it, its tables are laid out in the kernel's memory.
 * Pages of several sites may come in any order, so the labellers of the models used last are kept open.
 */
export interface Releasable {
  release(): void;
}

const MAX_OPEN = 32;

export class LabellerCache<Model extends object, Labeller extends Releasable> {
  readonly #open: (model: Model) => Labeller;
  /** The one used last comes last. */
  readonly #labellers = new Map<Model, Labeller>();

  constructor(open: (model: Model) => Labeller) {
    this.#open = open;
  }

  /** The labeller of a model; it holds until others have been asked for. */
  get(model: Model): Labeller {
    const labeller = this.#labellers.get(model) ?? this.#open(model);
    this.#labellers.delete(model);
    this.#labellers.set(model, labeller);
    if (this.#labellers.size > MAX_OPEN) {
      const [oldest] = this.#labellers.keys();
      this.#labellers.get(oldest)!.release();
      this.#labellers.delete(oldest);
    }
    return labeller;
  }

  /** Closes all of them. */
  release(): void {
    for (const labeller of this.#labellers.values()) labeller.release();
    this.#labellers.clear();
  }
}
