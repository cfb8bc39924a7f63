/**
 * The site rule `layout`: before the pages are planned, all of them are signed, those of a host fall into
 * groups of one layout, and each group becomes a site: `host#1` the one with the most pages, `host#2` the
 * next. Pages that cannot be read stay with `host#1`; the stage that labels skips and reports them. A limit
 * holds for what is labelled: groups are made of all pages.
 */
import { DEFAULT_PERMUTATIONS } from '../../analysis/minhash.ts';
import { readLayoutRule } from '../../model/site.ts';
import { SiteChanges } from '../../store/capture-columns.ts';
import { Plan, type PlanOptions } from '../../store/plan.ts';
import { layoutSite, numberLayouts } from '../../study/layout-groups.ts';
import type { StageContext } from './run-stage.ts';
import { readSignatures, type SignOptions, signAll } from './site-signatures.ts';

/** The site of every page for the plan, or undefined when sites do not go by layout. */
export async function splitByLayout(
  context: StageContext,
  surveys: string[],
  options: PlanOptions,
): Promise<SiteChanges | undefined> {
  const { job } = context;
  const rule = readLayoutRule(job.site);
  if (!rule) return undefined;
  const signing: SignOptions = { tokens: ['paths'], permutations: DEFAULT_PERMUTATIONS };
  const plan = Plan.make(surveys, { ...options, limit: undefined });
  const tasks = await signAll(context, plan, signing);
  const sites = new SiteChanges();
  for await (const { site, pages, unsigned, signed } of readSignatures(context, plan, tasks, signing)) {
    const { numberOf } = numberLayouts(signed[0], { ...rule, telling: true });
    for (let k = 0; k < pages.length; k++) sites.set(pages[k].id, layoutSite(site, numberOf[k]));
    for (const { id } of unsigned) sites.set(id, layoutSite(site, 1));
  }
  return sites;
}
