import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Visit } from './visit.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';

/** The violations that axe finds in the page now, by all of its rules: the rule, and where it's broken. */
export async function findViolations({ page }: Visit): Promise<unknown> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(AXE);
  return page.evaluate(RUN);
}
