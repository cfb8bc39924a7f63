/** Serious findings of an accessibility check of a page: what keeps some people from using it. Frames are not looked into. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** `rule: element`, one for each element. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    'axe.run(document, { iframes: false }).then(({ violations }) => violations)',
  )) as { id: string; impact?: string | null; nodes: { html: string }[] }[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
