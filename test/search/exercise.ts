import type { Parley, Tenant } from '../support/parley.js';
import { indexed, queryOf, type Search } from './support/searching.js';

/** Indexes the tenant's chats, and searches them in every way. */
export async function exerciseSearch(parley: Parley, tenant: Tenant): Promise<void> {
  const { id, admin, botId, chatId, bot } = tenant;
  await bot.post('/messages', { chatId, content: 'searching' }).expect(200);
  await indexed(parley, id);
  const agent = await parley.signInAgent(tenant, { name: 'Searcher' });
  const supervisor = await parley.signInAgent(tenant, { name: 'Supervisor', role: 'SUPERVISOR' });
  const { body: chat } = await bot.get(`/chats/${chatId}`).expect(200);
  const { body: token } = await admin.post(`/bots/${botId}/tokens`, { scopes: ['search:all'] }).expect(201);
  const filter = { visitorId: chat.visitor.id, groupId: chat.group.id, status: chat.status, botId, rating: '*' };
  const { id: agentId } = supervisor;
  await supervisor.client.post(`/chats/${chatId}/notes`, { content: 'a searchable note' }).expect(201);
  await indexed(parley, id);
  await admin.get('/search').expect(200);
  await admin.post('/search/rebuild', {}).expect(202);
  await indexed(parley, id);
  await fillIndex(parley, id);
  const searches: Search[] = [
    { q: chatId },
    { q: 'searchable' },
    { q: 'searching' },
    { q: 'searchin veraa', ...filter },
    { q: 'searching', agentId, participantId: agentId, from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' },
    { visitorId: chat.visitor.id },
  ];
  for (const search of searches) {
    await parley.bot(token.token).get(queryOf(search)).expect(200);
    await supervisor.client.get(queryOf({ ...search, unread: 'true' })).expect(200);
  }
  await agent.client.post('/search', { q: 'searching' }).expect(200);
  for (let count = 0; count < 2; count += 1) await admin.post('/chats', { visitor: { name: 'Namesake' } }).expect(201);
  await indexed(parley, id);
  const first = { q: 'Namesake', limit: 1 };
  const { body: page } = await supervisor.client.get(queryOf(first)).expect(200);
  // On one PostgreSQL that takes itself for a cluster, triggers record no changes that the index reads, so it's empty. `distribution.slow-spec`
  // notices if the statements of this page don't run.
  if (page.nextCursor !== null) await supervisor.client.get(queryOf({ ...first, cursor: page.nextCursor })).expect(200);
  await agent.client.get(queryOf({ visitorId: chat.visitor.id }));
}

/** Adds so many newer rows that a search for other words has to use the index of words. */
export async function fillIndex(parley: Parley, organizationId: string, count = 2_001): Promise<void> {
  await parley.query(
    `INSERT INTO search_entries (organization_id, id, chat_id, kind, seq, created_at, words)
    SELECT $1, 'msg_filler' || n, 'cht_filler', 'BOT', n, now() - interval '1 ms' * n, 'filler'
    FROM generate_series(1, $2) AS n ON CONFLICT DO NOTHING`,
    [organizationId, count],
  );
}
