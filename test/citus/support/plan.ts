import pg from 'pg';
import { CLUSTER_PLANNING } from '../../../src/platform/database/data-source.js';
import type { Statement } from '../../support/statements.js';

/** What a cluster does with a statement. */
export type Plan = 'one shard' | 'no shard' | 'several shards' | 'several steps' | `refused: ${string}`;

/** Plans statements on a cluster, with the values that they were sent with. */
export async function planAll(url: string, statements: readonly Statement[]): Promise<Map<Statement, Plan>> {
  const client = new pg.Client({ connectionString: url, options: CLUSTER_PLANNING });
  await client.connect();
  try {
    const plans = new Map<Statement, Plan>();
    for (const statement of statements) plans.set(statement, await plan(client, statement));
    return plans;
  } finally {
    await client.end();
  }
}

async function plan(client: pg.Client, { sent: { text, values } }: Statement): Promise<Plan> {
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, values);
    return classify(rows.map((row) => row['QUERY PLAN']).join('\n'));
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

/** A part of a statement whose result becomes the input of another part is a step. */
function classify(text: string): Plan {
  const tasks = [...text.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (tasks.some((count) => count > 1)) return 'several shards';
  if (/Distributed Subplan|INSERT \.\.\. SELECT/.test(text)) return 'several steps';
  return tasks.length > 0 && tasks.every((count) => count === 1) ? 'one shard' : 'no shard';
}
