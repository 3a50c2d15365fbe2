import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PresenceService } from '../../src/agents/presence.service.js';
import { InboxService } from '../../src/inbox/inbox.service.js';
import { DemoService } from '../../src/api/public/demo/demo.service.js';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { KeyRetention } from '../../src/idempotency/key-retention.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import { AgentSessionsService } from '../../src/auth/agents/agent-sessions.service.js';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { DeliveryRetention } from '../../src/webhooks/delivery-retention.js';
import { Client } from './client.js';
import { createDatabase } from './database.js';
import { signIdentity } from './identity.js';
import { Parley, type Tenant } from './parley.js';
import { eventually } from './eventually.js';
import { Receiver } from './receiver.js';
import type { StatementRecorder } from './statements.js';
import type { VisitorSocket } from './visitor.js';

/** Paths that are not the service's own: middleware and the pages of the documentation. */
const FOREIGN = /\*|^\/docs/;
/** How often what runs by the clock is looked for. */
const LOOK = 20;

/** Starts the service on a database of its own, has it do all it does, and stops it; `recorder` sees what it asks. */
export async function exerciseEverything(
  recorder: StatementRecorder,
): Promise<{ known: string[]; answered: Set<string> }> {
  const database = await createDatabase();
  recorder.start();
  const parley = await Parley.start({ DEMO: '1', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, database.url);
  const receiver = await Receiver.start();
  try {
    const run = new Run(parley, receiver, recorder);
    await run.all();
    return { known: knownRoutes(parley), answered: run.answered };
  } finally {
    await parley.stop();
    recorder.stop();
    await receiver.close();
    await database.drop();
  }
}

/** Every route that the running service has, as `GET /api/bot/groups`. */
export function knownRoutes({ app }: Parley): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: any[] } };
  return router.stack
    .flatMap(({ route }) =>
      route ? Object.keys(route.methods).map((method) => [method.toUpperCase(), String(route.path)] as const) : [],
    )
    .filter(([, path]) => !FOREIGN.test(path))
    .map((route) => route.join(' '));
}

class Run {
  /** Routes that answered what was asked, as they are declared. */
  readonly answered = new Set<string>();

  constructor(
    private readonly parley: Parley,
    private readonly receiver: Receiver,
    private readonly recorder: StatementRecorder,
  ) {
    const server = parley.app.getHttpServer() as Server;
    server.on('request', (request: IncomingMessage & { route?: { path: string } }, response: ServerResponse) => {
      response.once('finish', () => {
        if (request.route && response.statusCode < 400) this.answered.add(`${request.method} ${request.route.path}`);
      });
    });
  }

  async all(): Promise<void> {
    const { parley } = this;
    const { app } = parley;
    Object.assign(app.get(Timings), { agents: LOOK, seqHints: LOOK, sessions: LOOK });
    app.get(ThisNode).settlingMs = 0;
    await this.demo();
    const tenant = await parley.createTenant();
    const webhook = await this.webhooks(tenant);
    await this.bot(tenant);
    await this.pull(tenant);
    await this.visitors(tenant);
    await this.sockets(tenant);
    await this.inbox(tenant);
    await this.agentSockets(tenant);
    await this.handoffs();
    await this.deliveries(tenant, webhook);
    await this.admin(tenant);
    await this.signingIn(tenant);
    await this.privacy(tenant);
    await app.get(KeyRetention).removeExpired();
    await app.get(AuthRetention).removeExpired();
    await app.get(DeliveryRetention).run();
    await this.clockwork();
    await this.end(tenant, webhook);
  }

  private async get(...paths: string[]): Promise<void> {
    for (const path of paths) await new Client(this.parley.url).get(path).expect(200);
  }

  private async demo(): Promise<void> {
    await this.parley.app.get(DemoService).prepare();
    const { key } = (await this.parley.app.get(DemoService).prepare())!;
    await new Client(this.parley.url, key).get('/demo/session').expect(200);
    await new Client(this.parley.url, key).post('/demo/sign-in-link').expect(201);
    await this.get(
      '/demo',
      '/demo/style.css',
      '/widget.js',
      '/api/bot/docs',
      '/api/visitor/docs',
      '/api/agent/docs',
      '/api/admin/docs',
    );
    await this.get('/sdk/parley-bot.tgz', '/sdk/parley-visitor.tgz');
    const script = await fetch(`${this.parley.url}/widget.js`).then((answer) => answer.text());
    await this.get(`/widget/${/[\w.-]+\.js/.exec(script.replace('widget.js', ''))![0]}`);
    const page = await fetch(`${this.parley.url}/console`).then((answer) => answer.text());
    await this.get(
      '/console',
      '/console/link',
      '/console/mine/one',
      '/console/group/one/two',
      `/console/assets/${/[\w.-]+\.js/.exec(page)![0]}`,
    );
    await this.get('/health/live', '/health/ready', '/metrics');
  }

  private async webhooks({ admin }: Tenant): Promise<string> {
    const { body: webhook } = await admin.post('/webhooks', { url: this.receiver.url }).expect(201);
    await admin.get('/webhooks').expect(200);
    await admin.get(`/webhooks/${webhook.id}`).expect(200);
    await admin.post(`/webhooks/${webhook.id}/ping`).expect(200);
    await admin.post(`/webhooks/${webhook.id}/rotate-secret`).expect(200);
    await admin.patch(`/webhooks/${webhook.id}`, { events: null, isEnabled: true }).expect(200);
    return webhook.id;
  }

  private async bot({ bot, admin, chatId }: Tenant): Promise<void> {
    const send = (content: string, key?: string) => {
      const asked = bot.post('/messages', { chatId, content });
      return key === undefined ? asked : asked.set('Idempotency-Key', key);
    };
    await send('alone', 'key').expect(200);
    await send('alone', 'key').expect(200);
    await Promise.all(Array.from({ length: 20 }, (_, index) => send(`together ${index}`, `key-${index}`).expect(200)));
    await this.sendIntoLocked(() => send('waits').expect(200));
    const { body: groups } = await bot.get('/groups').expect(200);
    const { body: group } = await admin.post('/groups', { name: 'People' }).expect(201);
    const transfer = { chatId, targetGroupId: group.id };
    for (let time = 0; time < 2; time++)
      await bot.post('/transfer', transfer).set('Idempotency-Key', 'move').expect(200);
    await bot.post('/transfer', { chatId, targetGroupId: groups[0].id }).expect(200);
    await bot.post('/transfer', { chatId }).expect(200);
    await bot.get('/chats?status=QUEUED').expect(200);
    await bot.get(`/chats/${chatId}`).expect(200);
    await bot.get(`/chats/${chatId}/messages`).expect(200);
    await bot.post(`/chats/${chatId}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
    await bot.post(`/chats/${chatId}/read`, { seq: 1 }).expect(200);
    await bot.get(`/chats/${chatId}/read`).expect(200);
  }

  /** A bot fetches its events, misses some, and is found silent. */
  private async pull({ bot, admin, botId, chatId }: Tenant): Promise<void> {
    const { parley } = this;
    const upkeep = parley.app.get(SubscriptionUpkeep);
    const poll = async (query: string) => (await bot.get(`/events?${query}`).expect(200)).body;
    await bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await bot.get('/subscription').expect(200);
    await admin.get(`/bots/${botId}/subscription`).expect(200);
    const { ack } = await poll('wait=1');
    await bot.post('/messages', { chatId, content: 'to be fetched' }).expect(200);
    const cursor = Buffer.from(chatId).toString('base64url');
    for (const query of ['', `?cursor=${cursor}`])
      await admin.get(`/bots/${botId}/subscription/events${query}`).expect(200);
    await poll(`ack=${ack}`);
    await parley.query(
      `UPDATE deliveries SET created_at = created_at - interval '8 days' WHERE webhook_id LIKE 'sub%'`,
    );
    await upkeep.run();
    await upkeep.run(new Date(Date.now() + 8 * 86_400_000));
    await poll('wait=0');
    await bot.delete('/subscription').expect(204);
    await poll('wait=0');
  }

  /** A message to a locked chat is left out of the shared statement, and stored once the lock is released. */
  private async sendIntoLocked(send: () => PromiseLike<unknown>): Promise<void> {
    const holder = await this.parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM chats FOR UPDATE');
    // A request of supertest begins when it is awaited.
    const sending = Promise.resolve(send());
    await this.until(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    await holder.query('COMMIT');
    holder.release();
    await sending;
  }

  private async visitors(tenant: Tenant): Promise<void> {
    const { parley } = this;
    const identity = await signIdentity(tenant, { name: 'Vera', sub: 'vera' });
    const { body: session } = await parley.beginSession(tenant, { visitor: { name: 'V' } }).expect(201);
    await parley.beginSession(tenant, { visitor: { name: 'W' } }, session.token).expect(201);
    const visitor = parley.visitor(session.token);
    const { body: opened } = await visitor.post('/chats', {}).expect(201);
    const { id } = opened.chat;
    await visitor.get('/chats').expect(200);
    const said = { content: 'hello', clientMessageId: 'mine' };
    for (let time = 0; time < 2; time++) await visitor.post(`/chats/${id}/messages`, said).expect(201);
    const metadata = { options: [{ label: 'Yes', value: 'yes' }] };
    const offer = { chatId: id, content: 'Well?', type: 'QUICK_REPLY', metadata };
    const { body: offered } = await tenant.bot.post('/messages', offer).expect(200);
    const reply = { content: 'Yes', replyTo: { messageId: offered.id, value: 'yes' } };
    await visitor.post(`/chats/${id}/messages`, reply).expect(201);
    await visitor.get(`/chats/${id}/messages`).expect(200);
    await visitor.post(`/chats/${id}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
    await visitor.post(`/chats/${id}/read`, { seq: 2 }).expect(200);
    await this.rating(tenant, id, visitor);
    // Who says who they are takes their open chats along.
    const { body: known } = await parley.beginSession(tenant, { identity, merge: true }, session.token).expect(201);
    await parley.visitor(known.token).delete('/sessions').expect(204);
  }

  /** A chat that has ended is rated, and the rating changed; then the chat goes on. */
  private async rating({ admin, widgetKey }: Tenant, chatId: string, visitor: Client): Promise<void> {
    await admin.get('/widget').expect(200);
    await admin.patch('/widget', { rating: true, greeting: null }).expect(200);
    await this.get(`/api/visitor/widget?key=${widgetKey}`);
    await visitor.post(`/chats/${chatId}/close`, {}).expect(200);
    for (const score of [4, 5]) await visitor.post(`/chats/${chatId}/rating`, { score, comment: 'Good' }).expect(200);
    await admin.patch(`/chats/${chatId}`, { status: 'ACTIVE' }).expect(200);
  }

  private async sockets({ chatId, visitorToken, bot, id }: Tenant): Promise<void> {
    const visitor = await this.parley.connectVisitor(visitorToken);
    const { latestSeq } = await visitor.ask('chat:open', { chatId });
    await visitor.ask('message:send', { chatId, content: 'by socket', clientMessageId: 'socket' });
    await visitor.ask('sync', { chatId, afterSeq: latestSeq });
    await visitor.ask('typing', { chatId, isTyping: true, text: 'Hel' });
    await visitor.ask('read', { chatId, seq: 1 });
    await bot.post('/messages', { chatId, content: 'to the socket' }).expect(200);
    await this.parley.query(STORED_BY_ANOTHER_NODE, [id, chatId, `msg_${chatId}`]);
    await visitor.until(() => visitor.all('message').some(({ content }) => content === 'by another node'));
    visitor.close();
  }

  /** What agents read: each view in each of its forms, as an agent and as a supervisor. */
  private async inbox(tenant: Tenant): Promise<void> {
    const { chatId, admin, bot } = tenant;
    const { body } = await admin.get('/groups').expect(200);
    const groupId: string = body.groups[0].id;
    const ada = await this.parley.signInAgent(tenant, { groupIds: [groupId] });
    const sue = await this.parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await this.parley.query('UPDATE chats SET group_id = $2 WHERE id = $1', [chatId, groupId]);
    await bot.post('/messages', { chatId, content: 'to be read' }).expect(200);
    for (const { client } of [ada, sue]) {
      for (const view of ['MINE', 'WAITING', 'BOT', 'OPEN', 'CLOSED']) {
        const cursor = Buffer.from(`2026-01-15T08:30:00.000Z${chatId}`).toString('base64url');
        for (const more of ['', `&cursor=${cursor}`, `&groupId=${groupId}`, `&groupId=${groupId}&cursor=${cursor}`])
          await client.get(`/chats?view=${view}${more}`).expect(200);
      }
      await this.filteredChats(client, tenant, ada.id, groupId);
      for (const path of ['/chats/counts', '/groups', '/agents', '/offers', '/replies', `/chats/${chatId}`])
        await client.get(path).expect(200);
      for (const query of ['afterSeq=0', 'beforeSeq=2'])
        await client.get(`/chats/${chatId}/messages?${query}`).expect(200);
      const { body: note } = await client.post(`/chats/${chatId}/notes`, { content: 'a note' }).expect(201);
      await client.get(`/chats/${chatId}/notes`).expect(200);
      await client.patch(`/chats/${chatId}/notes/${note.id}`, { content: 'another' }).expect(200);
      await client.delete(`/chats/${chatId}/notes/${note.id}`).expect(204);
      await client.delete(`/chats/${chatId}/notes/${note.id}`).expect(404);
      await client.patch('/session', { name: 'Ada' }).expect(200);
      await client.post(`/chats/${chatId}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
      await client.post(`/chats/${chatId}/read`, { seq: 1 }).expect(200);
    }
    const { body: reply } = await sue.client.post('/replies', { shortcut: 'hi', content: 'Hello' }).expect(201);
    await sue.client.get(`/replies/${reply.id}`).expect(200);
    await sue.client.patch(`/replies/${reply.id}`, { content: 'Hi' }).expect(200);
    await sue.client.delete(`/replies/${reply.id}`).expect(204);
    for (const more of ['', `&groupId=${groupId}`])
      await sue.client.get(`/reports?from=2026-01-01&to=2026-01-31${more}`).expect(200);
    const rows = this.parley.app.get(InboxService);
    await rows.findRows(tenant.id, [chatId]);
    await rows.findWhoMaySee(tenant.id, [chatId], [ada.id]);
  }

  private async filteredChats(client: Client, { chatId }: Tenant, agentId: string, groupId: string): Promise<void> {
    const cursor = Buffer.from(`2026-01-15T08:30:00.000Z${chatId}`).toString('base64url');
    for (const more of ['', `&cursor=${cursor}`, `&groupId=${groupId}`]) {
      for (const query of ['view=OPEN', 'view=CLOSED', 'view=OPEN&unanswered=true'])
        await client.get(`/chats?${query}&agentId=${agentId}${more}`).expect(200);
      await client.get(`/chats?unanswered=true${more}`).expect(200);
    }
    const { body } = await client.get(`/chats/${chatId}`).expect(200);
    for (const search of ['ve', chatId, body.visitor.id])
      await client.get(`/chats/search?search=${search}`).expect(200);
    const after = Buffer.from(chatId).toString('base64url');
    for (const more of ['', `?cursor=${after}`])
      await client.get(`/visitors/${body.visitor.id}/chats${more}`).expect(200);
  }

  /** Chats go from hand to hand, in every way there is, in an organization of their own. */
  private async handoffs(): Promise<void> {
    const { parley } = this;
    const tenant = await parley.createTenant();
    const { admin, bot, chatId } = tenant;
    const [{ id: groupId }] = (await bot.get('/groups').expect(200)).body;
    const ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const to = (path: string) => `/chats/${chatId}${path}`;
    const owned = (condition: string) => this.until(`SELECT FROM chats WHERE id = '${chatId}' AND ${condition}`);
    await bot.get('/groups/availability').expect(200);
    for (const owner of ['BOT', 'QUEUE', 'AGENT', 'NOBODY']) await bot.get(`/chats?owner=${owner}`).expect(200);
    const waiting = await parley.connectVisitor(tenant.visitorToken);
    await waiting.ask('chat:open', { chatId });
    const transfer = (more: object = {}) => bot.post('/transfer', { chatId, ...more });
    await transfer().set('Idempotency-Key', 'handoff').expect(200);
    await this.overtaken(tenant, groupId, waiting);
    await bot.post(to('/return'), {}).expect(200);
    await ada.client.post(to('/claim'), {}).expect(200);
    await ada.client.post(to('/messages'), { content: 'from an agent' }).expect(201);
    await sue.client.post(to('/messages'), { content: 'not mine' }).expect(409);
    await ada.client.post(to('/release'), {}).expect(200);
    await sue.client.post(to('/assign'), { agentId: ada.id }).expect(200);
    await ada.client.post(to('/transfer'), { agentId: sue.id, note: 'yours' }).expect(200);
    await sue.client.post(to('/return'), { note: 'again' }).expect(200);
    await parley.visitor(tenant.visitorToken).post(to('/close'), {}).expect(200);
    await ada.client.post(to('/reopen'), {}).expect(200);
    await ada.client.post(to('/close'), {}).expect(200);
    // Routing, and the time-outs: the test moves the times.
    const connection = { organizationId: tenant.id, agentId: ada.id, id: 'routed', sessionId: ada.id };
    await parley.app.get(PresenceService).connect(connection);
    await admin.patch(`/groups/${groupId}`, { routing: 'OFFER' }).expect(200);
    const offer = async () => {
      await this.until(`SELECT FROM chat_offers WHERE agent_id = '${ada.id}' AND ended_at IS NULL`);
      return (await ada.client.get('/offers').expect(200)).body.offers[0].id as string;
    };
    const rested = `UPDATE chat_offers SET created_at = created_at - interval '1 hour'`;
    await bot.post('/messages', { chatId, content: 'hello again' }).expect(200);
    await parley.query(`UPDATE chats SET agent_left_at = NULL, last_agent_id = NULL WHERE id = $1`, [chatId]);
    await parley.query(`UPDATE handoffs SET began_at = began_at - interval '1 hour' WHERE chat_id = $1`, [chatId]);
    await transfer().expect(200);
    await ada.client.post(`/offers/${await offer()}/decline`, {}).expect(204);
    await admin.patch(`/agents/${ada.id}`, { name: 'Ada' }).expect(200);
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    // Not before: an offer that pausing withdraws is not made again for minutes.
    await parley.query(rested);
    await ada.client.put('/presence', { isAccepting: true }).expect(200);
    await offer();
    await parley.query(
      `UPDATE chat_offers SET expires_at = now() - interval '1 hour', created_at = now() - interval '1 hour'`,
    );
    await this.until(`SELECT FROM chat_offers WHERE reason = 'EXPIRED'`);
    await ada.client.post(`/offers/${await offer()}/accept`, {}).expect(200);
    await ada.client.post(to('/release'), {}).expect(200);
    await parley.query(`UPDATE handoffs SET due_at = now() - interval '1 hour' WHERE chat_id = $1`, [chatId]);
    await this.until(`SELECT FROM handoffs WHERE chat_id = '${chatId}' AND unanswered_at IS NOT NULL`);
    await sue.client.post(to('/assign'), { agentId: ada.id }).expect(200);
    await admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
    await owned(`status = 'QUEUED'`);
    await admin.patch(`/agents/${ada.id}`, { groupIds: [groupId] }).expect(200);
    await parley.query(`UPDATE agents SET groups_left_at = groups_left_at - interval '1 hour' WHERE id = $1`, [ada.id]);
    await this.until(`SELECT FROM agents WHERE id = '${ada.id}' AND groups_left_at IS NULL`);
    await ada.client.post(to('/claim'), {}).expect(200);
    await admin.delete(`/agents/${ada.id}`).expect(204);
    await owned(`status = 'QUEUED'`);
    // A wrong count, and a chat that a node of the previous release has queued.
    await parley.query(`UPDATE agents SET open_chats = 9 WHERE id = $1`, [sue.id]);
    await parley.query(`DELETE FROM handoffs WHERE chat_id = $1`, [chatId]);
    await parley.app.get(HandoffTimers).runChecks();
    waiting.close();
  }

  /** A waiting visitor is notified when another one overtakes them. */
  private async overtaken({ admin, bot }: Tenant, groupId: string, waiting: VisitorSocket): Promise<void> {
    const { body: other } = await admin.post('/chats', { groupId }).expect(201);
    await bot.post('/transfer', { chatId: other.id }).expect(200);
    await this.parley.query(`UPDATE chats SET queued_at = now() - interval '1 hour' WHERE id = $1`, [other.id]);
    await waiting.until(() => waiting.all('chat').some(({ queue }) => queue?.position === 2));
    await bot.post(`/chats/${other.id}/return`, {}).expect(200);
  }

  private async deliveries({ admin, bot, chatId }: Tenant, webhook: string): Promise<void> {
    const list = async (status: string) => {
      const { body } = await admin.get(`/webhooks/${webhook}/deliveries?status=${status}`).expect(200);
      return body.deliveries as { id: string }[];
    };
    await this.until(`SELECT FROM deliveries WHERE outcome = 'delivered'`);
    for (const status of ['pending', 'in_flight', 'dead']) await list(status);
    await admin.get(`/webhooks/${webhook}/deliveries`).expect(200);
    const [one] = await list('delivered');
    await admin.get(`/webhooks/${webhook}/deliveries/${one!.id}`).expect(200);
    await admin.post(`/webhooks/${webhook}/deliveries/${one!.id}/redeliver`).expect(202);
    await admin.post(`/webhooks/${webhook}/deliveries/redeliver`, { since: '2026-01-01T00:00:00Z' }).expect(202);
    // While an attempt runs, the lane of a webhook that is disabled keeps its lease by renewals alone.
    const held: ServerResponse[] = [];
    this.receiver.become((_, response) => void held.push(response));
    await bot.post('/messages', { chatId, content: 'slowly' }).expect(200);
    await eventually(() => held.length, Boolean);
    await admin.patch(`/webhooks/${webhook}`, { isEnabled: false }).expect(200);
    const isRenewed = () =>
      this.recorder.statements.some(({ text }) => text.includes('UPDATE webhook_lanes l SET leased_until = now()'));
    await eventually(isRenewed, Boolean, 20_000, 'no lease was renewed');
    this.receiver.become((_, response) => void response.end());
    for (const response of held) response.end();
    await admin.patch(`/webhooks/${webhook}`, { isEnabled: true }).expect(200);
  }

  private async admin({ admin, chatId, botId, id }: Tenant): Promise<void> {
    const organizations = this.parley.admin;
    await organizations.get('').expect(200);
    await organizations.get(`/${id}`).expect(200);
    await organizations
      .patch(`/${id}`, { name: 'Other', allowedOrigins: [], timeZone: 'UTC', typingPreview: true })
      .expect(200);
    const { body: group } = await admin.post('/groups', { name: 'Second', isDefault: true }).expect(201);
    const { body: gone } = await admin.post('/groups', { name: 'Gone' }).expect(201);
    await admin.patch(`/groups/${gone.id}`, { name: 'Soon gone' }).expect(200);
    await admin.patch(`/groups/${gone.id}`, { isDefault: true }).expect(200);
    await admin.patch(`/groups/${group.id}`, { isDefault: true }).expect(200);
    await admin.get('/groups').expect(200);
    await admin.get(`/groups/${gone.id}`).expect(200);
    const agent = { name: 'Ada', email: 'ada@example.com', groupIds: [gone.id] };
    const { body: ada } = await admin.post('/agents', agent).expect(201);
    await admin.get('/agents').expect(200);
    await admin.get(`/agents/${ada.id}`).expect(200);
    await admin.patch(`/agents/${ada.id}`, { name: 'Ada L.', groupIds: [group.id] }).expect(200);
    await admin.delete(`/agents/${ada.id}`).expect(204);
    await admin.delete(`/groups/${gone.id}`).expect(204);
    await admin.get('/chats').expect(200);
    await admin.get(`/chats/${chatId}`).expect(200);
    await admin.post('/chats', { groupId: group.id }).expect(201);
    for (const status of ['CLOSED', 'CLOSED', 'ACTIVE']) await admin.patch(`/chats/${chatId}`, { status }).expect(200);
    await admin.get('/bots').expect(200);
    await admin.get(`/bots/${botId}`).expect(200);
    await admin.patch(`/bots/${botId}`, { name: 'Robot' }).expect(200);
    const { body: token } = await admin.post(`/bots/${botId}/tokens`, { name: 'second' }).expect(201);
    await admin.get(`/bots/${botId}/tokens`).expect(200);
    await admin.get(`/bots/${botId}/tokens/${token.id}`);
    await admin.delete(`/bots/${botId}/tokens/${token.id}`).expect(204);
  }

  /** An agent connects, follows a chat and leaves; the node is taken for dead; another socket stays until the end. */
  private async agentSockets(tenant: Tenant): Promise<void> {
    const { parley } = this;
    const { id, client, token } = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await client.put('/presence', { isAccepting: true }).expect(200);
    const [leaving, staying] = [await parley.connectAgent(token), await parley.connectAgent(token)];
    await staying.ask('chat:follow', { chatId: tenant.chatId });
    await staying.ask('view:watch', { view: 'OPEN' });
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'for the row' }).expect(200);
    await staying.next('chat');
    // As others do who took this node for dead; in one statement, so that no beat comes in between.
    await parley.query(
      `WITH node AS (UPDATE nodes SET seen_at = now() - interval '1 hour'), gone AS (DELETE FROM agent_connections) SELECT`,
    );
    const count = `SELECT FROM agent_connections WHERE agent_id = '${id}' AND closed_at IS`;
    await this.until(`${count} NULL`);
    leaving.close();
    await this.until(`${count} NOT NULL`);
    await parley.app.get(PresenceService).endSessions(tenant.id, id, ['ses_unknown']);
  }

  /** An agent signs in and out, in every way there is. */
  private async signingIn(tenant: Tenant): Promise<void> {
    const { parley } = this;
    const password = 'correct horse battery';
    const { id, email, client } = await parley.signInAgent(tenant, { role: 'ADMIN', password });
    const signIn = (given: object) => parley.agent().post('/session', { email, mode: 'token', ...given });
    await signIn({ password: 'wrong' }).expect(401);
    const { body: session } = await signIn({ password }).expect(201);
    await signIn({ password, organizationId: tenant.id }).expect(201);
    await client.get('/session').expect(200);
    const { body: list } = await client.get('/sessions').expect(200);
    const [{ id: sessionId }] = list.sessions;
    const identity = { organizationId: tenant.id, agentId: id, sessionId, name: '', expiresAt: new Date() };
    await parley.app.get(AgentSessionsService).findEnded([{ ...identity, role: 'ADMIN' }]);
    // Its use is written when the stored one is old.
    await parley.query(`UPDATE agent_sessions SET last_used_at = now() - interval '1 hour'`);
    await client.put('/password', { current: password, password: 'another password' }).expect(204);
    await parley.agent(session.token).get('/session').expect(401);
    await this.until(`SELECT FROM agent_sessions WHERE last_used_at > now() - interval '1 minute'`);
    await client.delete(`/sessions/${sessionId}`).expect(204);
    await (await parley.signInAgain(tenant, id)).client.delete('/session').expect(204);
    const { body: link } = await tenant.admin.post(`/agents/${id}/sign-in-links`, {}).expect(201);
    await tenant.admin.delete(`/agents/${id}/sign-in-links/${link.id}`).expect(204);
    await tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200);
    for (const path of ['/audit', `/audit?target=${id}`, '/audit?actor=SYSTEM', '/audit/export?action=link.created'])
      await tenant.admin.get(path).expect(200);
  }

  /** People are found, shown and erased, and what is too old is removed; by what the table says, as if much had been said. */
  private async privacy({ admin, id, chatId }: Tenant): Promise<void> {
    const { parley } = this;
    const begin = async () => (await admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201)).body;
    const { id: erased, visitor } = await begin();
    for (const path of ['', '?search=v', `/${visitor.id}`, `/${visitor.id}/export`])
      await admin.get(`/visitors${path}`).expect(200);
    await parley.query('UPDATE chats SET message_count = 300 WHERE id = $1', [erased]);
    const leaveBehind = `UPDATE messages SET sender_id = $1 WHERE chat_id = $2 AND client_message_id = 'socket'`;
    await parley.query(leaveBehind, [visitor.id, chatId]);
    await admin.delete(`/visitors/${visitor.id}`).expect(204);
    await parley.admin.patch(`/${id}`, { retentionDays: 1 }).expect(200);
    const later = new Date(Date.now() + 10 * 86_400_000);
    await parley.query('UPDATE chats SET message_count = 2000 WHERE id = $1', [(await begin()).id]);
    await parley.query('UPDATE chats SET last_message_at = $2 WHERE id = $1', [chatId, later]);
    await parley.app.get(DataRemoval).run(later);
    await this.silence();
  }

  /** Removes anonymous visitors who never wrote, and marks the others as kept. */
  private async silence(): Promise<void> {
    const { parley } = this;
    const tenant = await parley.createTenant();
    for (const content of ['hello', null]) {
      const { body: session } = await parley.beginSession(tenant).expect(201);
      const visitor = parley.visitor(session.token);
      const { body: opened } = await visitor.post('/chats', {}).expect(201);
      if (content) await visitor.post(`/chats/${opened.chat.id}/messages`, { content }).expect(201);
    }
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 40 * 86_400_000));
    await parley.admin.delete(`/${tenant.id}`).expect(204);
  }

  /** What runs by itself: uses of tokens are written, lanes are looked for. */
  private async clockwork(): Promise<void> {
    await this.until('SELECT FROM access_tokens WHERE last_used_at IS NOT NULL');
  }

  private async end({ admin, botId, id }: Tenant, webhook: string): Promise<void> {
    await admin.delete(`/webhooks/${webhook}`).expect(204);
    await admin.delete(`/bots/${botId}`).expect(204);
    await this.parley.admin.delete(`/${id}`).expect(204);
    await this.parley.app.get(DeliveryRetention).run();
    await this.parley.app.get(DataRemoval).run();
  }

  private async until(query: string): Promise<void> {
    while ((await this.parley.query<pg.QueryResultRow>(query)).length === 0) await sleep(LOOK);
  }
}

const STORED_BY_ANOTHER_NODE = `
  WITH chat AS (
    UPDATE chats SET message_count = message_count + 1 WHERE organization_id = $1 AND id = $2
    RETURNING organization_id, id, message_count
  )
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
  SELECT organization_id, id, message_count, $3, 'TEXT', 'by another node', 'SYSTEM', now() FROM chat`;
