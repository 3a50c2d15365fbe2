import type { Parley, Tenant } from '../../support/parley.js';

/** Lets an agent follow 50 ended chats, the most. They're in the same group as the tenant's chat. */
export async function followFifty(parley: Parley, tenant: Tenant, agentId: string): Promise<void> {
  const [chat] = await parley.query<{ groupId: string }>(
    'SELECT group_id AS "groupId" FROM chats WHERE organization_id = $1 AND id = $2',
    [tenant.id, tenant.chatId],
  );
  await parley.query(
    `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
     SELECT $1, 'cht_made' || lpad(n::text, 22, '0'), $2, $3, 'CLOSED', now(), 0, now() FROM generate_series(1, 50) n`,
    [tenant.id, tenant.visitorId, chat!.groupId],
  );
  await parley.query(
    `INSERT INTO chat_followers (organization_id, chat_id, agent_id, followed_at)
     SELECT organization_id, id, $2, now() FROM chats WHERE organization_id = $1 AND id LIKE 'cht_made%'`,
    [tenant.id, agentId],
  );
}
