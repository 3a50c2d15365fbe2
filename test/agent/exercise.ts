import { AgentSessionsService } from '../../src/auth/agents/agent-sessions.service.js';
import { InboxService } from '../../src/inbox/views/inbox.service.js';
import type { Client } from '../support/client.js';
import type { Parley, Tenant } from '../support/parley.js';
import { followFifty } from './support/followed.js';

/** Reads each view in each of its forms, as an agent and as a supervisor, and uses the routes beside them. */
export async function exerciseInbox(parley: Parley, tenant: Tenant): Promise<void> {
  const { chatId, admin, bot } = tenant;
  const { body } = await admin.get('/groups').expect(200);
  const groupId: string = body.groups[0].id;
  const ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
  const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  await parley.query('UPDATE chats SET group_id = $2 WHERE id = $1', [chatId, groupId]);
  await bot.post('/messages', { chatId, content: 'to be read' }).expect(200);
  for (const { id, client } of [ada, sue]) {
    for (const view of ['MINE', 'SNOOZED', 'WAITING', 'BOT', 'OPEN', 'CLOSED']) {
      const cursor = Buffer.from(`2026-01-15T08:30:00.000Z${chatId}`).toString('base64url');
      for (const more of ['', `&cursor=${cursor}`, `&groupId=${groupId}`, `&groupId=${groupId}&cursor=${cursor}`])
        await client.get(`/chats?view=${view}${more}`).expect(200);
    }
    await filterChats(client, tenant, ada.id, groupId);
    for (const path of ['/chats/counts', '/groups', '/agents', '/offers', '/replies', `/chats/${chatId}`])
      await client.get(path).expect(200);
    for (const query of ['afterSeq=0', 'beforeSeq=2'])
      await client.get(`/chats/${chatId}/messages?${query}`).expect(200);
    const { body: view } = await client.post('/views', { name: 'Refunds', query: 'tag:refund' }).expect(201);
    await client.patch(`/views/${view.id}`, { position: 3 }).expect(200);
    for (const path of ['/views', `/views/${view.id}`]) await client.get(path).expect(200);
    await client.delete(`/views/${view.id}`).expect(204);
    const mentions = [ada.id, sue.id];
    const { body: note } = await client.post(`/chats/${chatId}/notes`, { content: 'a note', mentions }).expect(201);
    for (const more of ['', `?cursor=${Buffer.from(note.id).toString('base64url')}`])
      await client.get(`/mentions${more}`).expect(200);
    await client.post(`/chats/${chatId}/mentions/seen`, {}).expect(204);
    await client.patch(`/chats/${chatId}`, { title: 'Order 4711' }).expect(200);
    await client.put(`/chats/${chatId}/followed`, {}).expect(204);
    await client.get('/followed').expect(200);
    await client.delete(`/chats/${chatId}/followed`).expect(204);
    await followFifty(parley, tenant, id);
    await client.put(`/chats/${chatId}/followed`, {}).expect(409);
    await parley.query("DELETE FROM chats WHERE organization_id = $1 AND id LIKE 'cht_made%'", [tenant.id]);
    await client.get(`/chats/${chatId}/notes`).expect(200);
    await client.patch(`/chats/${chatId}/notes/${note.id}`, { content: 'another', mentions: [ada.id] }).expect(200);
    await client.delete(`/chats/${chatId}/notes/${note.id}`).expect(204);
    await client.delete(`/chats/${chatId}/notes/${note.id}`).expect(404);
    await client.put(`/chats/${chatId}/block`, { reason: 'Spam' }).expect(200);
    await admin.get('/blocked-visitors').expect(200);
    await admin.delete(`/blocked-visitors/${tenant.visitorId}`).expect(204);
    await client.delete(`/chats/${chatId}/block`).expect(204);
    await client.put(`/chats/${chatId}/block`, { reason: 'Spam again' }).expect(200);
    await client.delete(`/chats/${chatId}/block`).expect(204);
    await client.patch('/session', { name: 'Ada' }).expect(200);
    await client.post(`/chats/${chatId}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
    await client.post(`/chats/${chatId}/read`, { seq: 1 }).expect(200);
  }
  const { body: reply } = await sue.client.post('/replies', { shortcut: 'hi', content: 'Hello' }).expect(201);
  await sue.client.get(`/replies/${reply.id}`).expect(200);
  await sue.client.patch(`/replies/${reply.id}`, { content: 'Hi' }).expect(200);
  await sue.client.delete(`/replies/${reply.id}`).expect(204);
  const own = { shortcut: 'hi', content: 'Hello', action: 'TRANSFER', actionGroupId: groupId };
  const { body: made } = await ada.client.post('/own-replies', own).expect(201);
  await ada.client.get('/own-replies').expect(200);
  await ada.client.get(`/own-replies/${made.id}`).expect(200);
  await ada.client.patch(`/own-replies/${made.id}`, { content: 'Hi' }).expect(200);
  await ada.client.delete(`/own-replies/${made.id}`).expect(204);
  for (const more of ['', `&groupId=${groupId}`, '&timeZone=Asia/Tokyo'])
    for (const path of ['', '/agents', '/ratings', '/chats/export'])
      await sue.client.get(`/reports${path}?from=${day(-1)}&to=${day(1)}${more}`).expect(200);
  for (const path of ['/team', '/team/groups']) await sue.client.get(path).expect(200);
  const rows = parley.app.get(InboxService);
  await rows.findRows(tenant.id, [chatId]);
  await rows.findWhoMaySee(tenant.id, [chatId], [ada.id]);
  const { body: last } = await admin.post('/chats', {}).expect(201);
  await sue.client.post(`/chats/${last.id}/claim`, {}).expect(200);
  await sue.client.post(`/chats/${last.id}/messages`, { content: 'Goodbye!', action: 'CLOSE' }).expect(201);
}

/** The day so many days from today. */
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

async function filterChats(client: Client, { chatId }: Tenant, agentId: string, groupId: string): Promise<void> {
  const cursor = Buffer.from(`2026-01-15T08:30:00.000Z${chatId}`).toString('base64url');
  for (const more of ['', `&cursor=${cursor}`, `&groupId=${groupId}`]) {
    for (const query of ['view=OPEN', 'view=SNOOZED', 'view=CLOSED', 'view=OPEN&unanswered=true'])
      await client.get(`/chats?${query}&agentId=${agentId}${more}`).expect(200);
    await client.get(`/chats?unanswered=true${more}`).expect(200);
  }
  const { body } = await client.get(`/chats/${chatId}`).expect(200);
  for (const search of ['ve', chatId, body.visitor.id]) await client.get(`/chats/search?search=${search}`).expect(200);
  const after = Buffer.from(chatId).toString('base64url');
  for (const more of ['', `?cursor=${after}`])
    await client.get(`/visitors/${body.visitor.id}/chats${more}`).expect(200);
}

/** An agent signs in and out in every way. */
export async function exerciseSignIn(parley: Parley, tenant: Tenant): Promise<void> {
  const password = 'correct horse battery';
  const { id, email, client } = await parley.signInAgent(tenant, { role: 'ADMIN', password });
  const signIn = (given: object) => parley.agent().post('/session', { email, mode: 'token', ...given });
  await signIn({ password: 'wrong' }).expect(401);
  await parley.query(
    `INSERT INTO sign_in_failures (email_hash, source_network, failures, window_began_at, blocked_until)
     VALUES (sha256(lower($1)::bytea), '', 101, now(), now() + interval '1 minute')
     ON CONFLICT (email_hash, source_network) DO UPDATE SET failures = 101, blocked_until = EXCLUDED.blocked_until`,
    [email],
  );
  const { body: session } = await signIn({ password }).expect(201);
  await parley.query('DELETE FROM sign_in_failures');
  await signIn({ password, organizationId: tenant.id }).expect(201);
  await client.get('/session').expect(200);
  const { body: list } = await client.get('/sessions').expect(200);
  const [{ id: sessionId }] = list.sessions;
  const identity = { organizationId: tenant.id, agentId: id, sessionId, name: '', expiresAt: new Date() };
  await parley.app.get(AgentSessionsService).findEnded([{ ...identity, role: 'ADMIN' }]);
  // The last use is stored again once the stored time is old.
  await parley.query(`UPDATE agent_sessions SET last_used_at = now() - interval '1 hour'`);
  await client.put('/password', { current: password, password: 'another password' }).expect(204);
  await parley.agent(session.token).get('/session').expect(401);
  await parley.untilRow(`SELECT FROM agent_sessions WHERE last_used_at > now() - interval '1 minute'`);
  await client.delete(`/sessions/${sessionId}`).expect(204);
  await (await parley.signInAgain(tenant, id)).client.delete('/session').expect(204);
  const { body: link } = await tenant.admin.post(`/agents/${id}/sign-in-links`, {}).expect(201);
  await parley
    .agent()
    .post('/session/link/agent', { token: new URL(link.url).hash.slice(1) })
    .expect(200);
  await tenant.admin.delete(`/agents/${id}/sign-in-links/${link.id}`).expect(204);
  await tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200);
  for (const path of ['/audit', `/audit?target=${id}`, '/audit?actor=SYSTEM', '/audit/export?action=link.created'])
    await tenant.admin.get(path).expect(200);
}
