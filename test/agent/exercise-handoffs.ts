import { PresenceService } from '../../src/agents/presence.service.js';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import type { Parley, SignedInAgent, Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';

interface Team extends Tenant {
  groupId: string;
  /** An agent of the group. */
  ada: SignedInAgent;
  /** A supervisor. */
  sue: SignedInAgent;
}

/** Moves a chat in every way between the bot, the queue, and agents, in an organization of its own. */
export async function exerciseHandoffs(parley: Parley): Promise<void> {
  const tenant = await parley.createTenant();
  const [{ id: groupId }] = (await tenant.bot.get('/groups').expect(200)).body;
  const ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
  const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  const team = { ...tenant, groupId, ada, sue };
  await moveByHand(parley, team);
  await answerOffers(parley, team);
  await missDeadlines(parley, team);
  await repair(parley, team);
}

async function moveByHand(parley: Parley, team: Team): Promise<void> {
  const { bot, chatId, ada, sue } = team;
  const to = (path: string) => `/chats/${chatId}${path}`;
  await bot.get('/groups/availability').expect(200);
  for (const owner of ['BOT', 'QUEUE', 'AGENT', 'NOBODY']) await bot.get(`/chats?owner=${owner}`).expect(200);
  const waiting = await parley.connectVisitor(team.visitorToken);
  await waiting.ask('chat:open', { chatId });
  await bot.post('/transfer', { chatId }).set('Idempotency-Key', 'handoff').expect(200);
  await overtake(parley, team, waiting);
  await bot.post(to('/return'), {}).expect(200);
  await ada.client.post(to('/claim'), {}).expect(200);
  const { body } = await ada.client.post(to('/messages'), { content: 'from an agent' }).expect(201);
  await ada.client.delete(to(`/messages/${body.message.seq}`)).expect(204);
  await sue.client.post(to('/messages'), { content: 'not mine' }).expect(409);
  await ada.client.post(to('/snooze'), {}).expect(200);
  await ada.client.post(to('/wake'), {}).expect(200);
  await ada.client.post(to('/snooze'), {}).expect(200);
  await parley.query('UPDATE chats SET snoozed_until = now() WHERE id = $1', [chatId]);
  await parley.untilRow(`SELECT FROM chats WHERE id = '${chatId}' AND snoozed_by IS NULL`);
  await ada.client.post(to('/release'), {}).expect(200);
  await sue.client.post(to('/close'), {}).expect(200);
  await sue.client.post(to('/reopen'), { undo: true }).expect(200);
  // Repeated, it reads the hand-offs and changes nothing.
  await sue.client.post(to('/reopen'), { undo: true }).expect(200);
  await sue.client.post(to('/assign'), { agentId: ada.id }).expect(200);
  await ada.client.post(to('/transfer'), { agentId: sue.id, note: 'yours' }).expect(200);
  await sue.client.post(to('/assign'), { agentId: ada.id }).expect(200);
  await sue.client.post(to('/assign'), { agentId: sue.id }).expect(200);
  await sue.client.post(to('/return'), { note: 'again' }).expect(200);
  await parley.visitor(team.visitorToken).post(to('/close'), {}).expect(200);
  await ada.client.post(to('/reopen'), {}).expect(200);
  await ada.client.post(to('/close'), {}).expect(200);
  waiting.close();
}

/** Times are set back, so that nothing waits. */
async function answerOffers(parley: Parley, { id, admin, bot, chatId, groupId, ada }: Team): Promise<void> {
  const connection = { organizationId: id, agentId: ada.id, id: 'routed', sessionId: ada.id };
  await parley.app.get(PresenceService).connect(connection);
  await admin.patch(`/groups/${groupId}`, { routing: 'OFFER' }).expect(200);
  const offer = async () => {
    await parley.untilRow(`SELECT FROM chat_offers WHERE agent_id = '${ada.id}' AND ended_at IS NULL`);
    return (await ada.client.get('/offers').expect(200)).body.offers[0].id as string;
  };
  await bot.post('/messages', { chatId, content: 'hello again' }).expect(200);
  await parley.query(`UPDATE chats SET agent_left_at = NULL, last_agent_id = NULL WHERE id = $1`, [chatId]);
  await parley.query(`UPDATE handoffs SET began_at = began_at - interval '1 hour' WHERE chat_id = $1`, [chatId]);
  await bot.post('/transfer', { chatId }).expect(200);
  await ada.client.post(`/offers/${await offer()}/decline`, {}).expect(204);
  await admin.patch(`/agents/${ada.id}`, { name: 'Ada' }).expect(200);
  await ada.client.put('/presence', { isAccepting: false }).expect(200);
  // After the pause: an offer that it withdrew isn't repeated for minutes.
  await parley.query(`UPDATE chat_offers SET created_at = created_at - interval '1 hour'`);
  await ada.client.put('/presence', { isAccepting: true }).expect(200);
  await offer();
  await parley.query(
    `UPDATE chat_offers SET expires_at = now() - interval '1 hour', created_at = now() - interval '1 hour'`,
  );
  await parley.untilRow(`SELECT FROM chat_offers WHERE reason = 'EXPIRED'`);
  await ada.client.post(`/offers/${await offer()}/accept`, {}).expect(200);
}

async function missDeadlines(parley: Parley, { admin, chatId, groupId, ada, sue }: Team): Promise<void> {
  const to = (path: string) => `/chats/${chatId}${path}`;
  const isQueued = `SELECT FROM chats WHERE id = '${chatId}' AND status = 'QUEUED'`;
  await ada.client.post(to('/release'), {}).expect(200);
  await parley.query(`UPDATE handoffs SET due_at = now() - interval '1 hour' WHERE chat_id = $1`, [chatId]);
  await parley.untilRow(`SELECT FROM handoffs WHERE chat_id = '${chatId}' AND unanswered_at IS NOT NULL`);
  await sue.client.post(to('/assign'), { agentId: ada.id }).expect(200);
  await admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
  await parley.untilRow(isQueued);
  await admin.patch(`/agents/${ada.id}`, { groupIds: [groupId] }).expect(200);
  await parley.query(`UPDATE agents SET groups_left_at = groups_left_at - interval '1 hour' WHERE id = $1`, [ada.id]);
  await parley.untilRow(`SELECT FROM agents WHERE id = '${ada.id}' AND groups_left_at IS NULL`);
  // Sue has no connection.
  await sue.client.post(to('/assign'), { agentId: sue.id }).expect(200);
  await parley.query(`UPDATE chats SET assigned_at = now() - interval '1 hour', agent_wrote_at = NULL WHERE id = $1`, [
    chatId,
  ]);
  await parley.untilRow(isQueued);
  await ada.client.post(to('/claim'), {}).expect(200);
  await admin.delete(`/agents/${ada.id}`).expect(204);
  await parley.untilRow(isQueued);
}

/** Corrects a counter, and starts the hand-off of a chat that a node of the previous release queued. */
async function repair(parley: Parley, { chatId, sue }: Team): Promise<void> {
  await parley.query(`UPDATE agents SET open_chats = 9 WHERE id = $1`, [sue.id]);
  await parley.query(`DELETE FROM handoffs WHERE chat_id = $1`, [chatId]);
  await parley.app.get(HandoffTimers).runChecks();
}

/** Another chat, which has waited longer, moves a waiting visitor to position 2. */
async function overtake(parley: Parley, { admin, bot, groupId }: Team, waiting: VisitorSocket): Promise<void> {
  const { body: other } = await admin.post('/chats', { groupId }).expect(201);
  await bot.post('/transfer', { chatId: other.id }).expect(200);
  await parley.query(`UPDATE chats SET queued_at = now() - interval '1 hour' WHERE id = $1`, [other.id]);
  await waiting.until(() => waiting.all('chat').some(({ queue }) => queue?.position === 2));
  await bot.post(`/chats/${other.id}/return`, {}).expect(200);
}
