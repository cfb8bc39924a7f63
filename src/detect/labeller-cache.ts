const MAX_OPEN = 32;

/**
 * A cache of labellers by model, least recently used first. A model is plain data; to label pages with it,
 * its tables are laid out in the kernel's memory. Pages of several sites may come in any order, so the
 * labellers of a few models are kept.
 */
export class LabellerCache<Model extends object, Labeller extends { release(): void }> {
  readonly #open: (model: Model) => Labeller;
  /** Ordered by last use; the most recently used labeller comes last. */
  readonly #labellers = new Map<Model, Labeller>();

  constructor(open: (model: Model) => Labeller) {
    this.#open = open;
  }

  /** Returns the labeller of a model; it is valid until labellers of other models are requested. */
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

  /** Releases all labellers. */
  release(): void {
    for (const labeller of this.#labellers.values()) labeller.release();
    this.#labellers.clear();
  }
}
