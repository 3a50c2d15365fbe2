import { until } from '../../support/eventually.js';
import type { Parley, SignedInAgent, Tenant } from '../../support/parley.js';

export interface FoundMatch {
  id: string;
  seq?: number;
  snippet: string;
  ranges: [number, number][];
}

export interface Result {
  chat: { id: string };
  message?: FoundMatch;
  note?: FoundMatch;
  isApproximate?: true;
}

export interface Page {
  results: Result[];
  nextCursor: string | null;
  partial?: true;
}

/** Parameters of a search, as a query. */
export type Search = Record<string, string | number | string[]>;

export function queryOf(given: Search): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(given))
    for (const one of [value].flat()) parameters.append(key, String(one));
  return `/search?${parameters.toString()}`;
}

/** Waits until the index has every change of an organization. */
export async function indexed(parley: Parley, organizationId: string): Promise<void> {
  await until('the index has every change', async () => {
    const rows = await parley.query(
      `SELECT FROM change_readers r WHERE r.organization_id = $1 AND r.name = 'search' AND r.chat_id IS NULL AND NOT EXISTS (
        SELECT FROM chat_changes c
        WHERE c.organization_id = $1 AND (c.epoch, c.subject_id) > (r.epoch, r.subject_id))
        AND NOT EXISTS (SELECT FROM change_readers b WHERE b.organization_id = $1 AND b.name = 'search-rebuild')`,
      [organizationId],
    );
    return rows.length > 0;
  });
}

/** What an agent's search returns, once the index has every change. */
export async function search(parley: Parley, tenant: Tenant, agent: SignedInAgent, given: Search): Promise<Page> {
  await indexed(parley, tenant.id);
  return (await agent.client.get(queryOf(given)).expect(200)).body as Page;
}

export const chatIds = ({ results }: Page) => results.map(({ chat }) => chat.id);

/** The parts of the snippet that are marked. */
export const marked = ({ snippet, ranges }: FoundMatch) => ranges.map(([start, end]) => snippet.slice(start, end));
