import type { Pool } from 'pg';
import { sqlMaySee } from '../chats/model/chat-rights.js';
import type { Named } from '../chats/reading/chat-state.js';
import { queryOrganizations } from '../platform/database/citus/per-organization.js';

/** An agent's question: who has this chat? */
export interface OwnerQuestion {
  organizationId: string;
  chatId: string;
  agentId: string;
  /** Whether the agent sees the chats of every group. */
  seesAll: boolean;
}

const FIND_OWNERS = `
  SELECT k.ordinal::integer, a.id, a.name
  FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
    WITH ORDINALITY AS k (organization_id, chat_id, agent_id, sees_all, ordinal)
  JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.chat_id
  JOIN agents a ON a.organization_id = c.organization_id AND a.id = c.agent_id AND a.id <> k.agent_id
  WHERE ${sqlMaySee('c', 'k.agent_id', 'k.sees_all', 'k.organization_id')}`;

/**
 * Answers, in order, which other agent has each chat, without waiting for locks. Null if no other agent has it, or the asking
 * agent may not see it. An Error if the worker of a Citus cluster couldn't be asked.
 */
export async function findOtherOwners(
  pool: Pool,
  questions: readonly OwnerQuestion[],
): Promise<(Named | null | Error)[]> {
  const values = [
    questions.map(({ organizationId }) => organizationId),
    questions.map(({ chatId }) => chatId),
    questions.map(({ agentId }) => agentId),
    questions.map(({ seesAll }) => seesAll),
  ];
  const failures = new Map<number, Error>();
  const query = { name: 'find-other-owners', text: FIND_OWNERS, values, failures };
  const rows = await queryOrganizations<Named & { ordinal: number }>(pool, query);
  const owners = new Map(rows.map(({ ordinal, id, name }) => [ordinal, { id, name }]));
  return questions.map((_, index) => failures.get(index) ?? owners.get(index + 1) ?? null);
}
