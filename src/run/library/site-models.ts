/**
 * Models of many sites by site, as they are learnt, saved and looked up. A site may have several, one per
 * snapshot: a page is labelled by the one nearest to its time.
 */
import type { SiteModel } from '../../detect/detector.ts';
import { decodeModelFile, encodeModelFile } from '../../detect/model-file.ts';
import type { SiteRule } from '../../model/site.ts';

export class SiteModels {
  readonly #bySite = new Map<string, SiteModel[]>();
  /** What makes a site here: pages must have theirs by the same rule to find its model. */
  readonly siteRule: SiteRule;

  constructor(models: Iterable<SiteModel>, { siteRule = 'host' }: { siteRule?: SiteRule } = {}) {
    this.siteRule = siteRule;
    for (const model of models) {
      const known = this.#bySite.get(model.site);
      if (known) known.push(model);
      else this.#bySite.set(model.site, [model]);
    }
  }

  static decode(bytes: Uint8Array): SiteModels {
    const { models, siteRule } = decodeModelFile(bytes);
    return new SiteModels(models, { siteRule });
  }

  encode(): Uint8Array {
    return encodeModelFile([...this], this.siteRule);
  }

  get sites(): string[] {
    return [...this.#bySite.keys()].sort();
  }

  /** The model of a site nearest in time; the latest one for a page without a time. */
  find(site: string, time: string): SiteModel | undefined {
    const models = this.#bySite.get(site);
    if (!models || models.length === 1) return models?.[0];
    const at = time === '' ? Number.POSITIVE_INFINITY : Date.parse(time);
    let nearest = models[0];
    let nearestMs = Number.POSITIVE_INFINITY;
    for (const model of models) {
      const distanceMs = at === Number.POSITIVE_INFINITY ? -Date.parse(model.lastTime) : distance(at, model);
      if (distanceMs < nearestMs) [nearest, nearestMs] = [model, distanceMs];
    }
    return nearest;
  }

  *[Symbol.iterator](): Iterator<SiteModel> {
    for (const site of this.sites) yield* this.#bySite.get(site)!;
  }
}

/** Milliseconds from a time to the span a model was learnt from; 0 within it. */
function distance(at: number, { firstTime, lastTime }: SiteModel): number {
  return Math.max(0, Date.parse(firstTime) - at, at - Date.parse(lastTime));
}
