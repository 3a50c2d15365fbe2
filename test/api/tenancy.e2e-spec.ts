import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { PNG } from '../support/pictures.js';
import { PUBLIC_ROUTES } from '../support/public-routes.js';

interface Route {
  method: string;
  path: string;
}

/** Every route, read from the application itself, so that a new one can't be forgotten. */
function routesOf(parley: Parley): Route[] {
  const { router } = parley.app.getHttpAdapter().getInstance() as { router: { stack: any[] } };
  return router.stack.flatMap(({ route }) =>
    route
      ? Object.keys(route.methods).map((method) => ({ method: method.toUpperCase(), path: route.path as string }))
      : [],
  );
}

const PUBLIC = new Set<string>(PUBLIC_ROUTES);

// These name no chat: a bot's token gives access to its own subscription only.
const ABOUT_THE_BOT = ['/api/bot/me', '/api/bot/subscription', '/api/bot/events'];

describe('tenancy', () => {
  let parley: Parley;
  let owner: Tenant;
  let stranger: Tenant;
  let routes: Route[];
  let ids: Record<string, string>;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    [owner, stranger] = [await parley.createTenant(), await parley.createTenant()];
    // A splat is middleware, and /docs serves the documentation.
    routes = routesOf(parley).filter(({ path }) => !path.includes('*') && !path.startsWith('/docs'));
    const { body: group } = await owner.admin.post('/groups', { name: 'G' }).expect(201);
    const { body: agent } = await owner.admin
      .post('/agents', { name: 'A', email: 'a@example.com', groupIds: [group.id] })
      .expect(201);
    const { body: token } = await owner.admin.post(`/bots/${owner.botId}/tokens`, {}).expect(201);
    const { body: webhook } = await owner.admin.post('/webhooks', { url: 'https://secret.invalid' }).expect(201);
    await owner.bot.post('/messages', { chatId: owner.chatId, content: 'secret' }).expect(200);
    await owner.bot.put(`/chats/${owner.chatId}/tags`, { tags: ['secret'] }).expect(200);
    const { body: tagList } = await owner.admin.get('/tags').expect(200);
    const { body: said } = await owner.bot.get(`/chats/${owner.chatId}/messages`).expect(200);
    const { body: list } = await owner.admin.get(`/webhooks/${webhook.id}/deliveries`).expect(200);
    await owner.admin.patch(`/webhooks/${webhook.id}`, { isEnabled: false }).expect(200);
    const { body: link } = await owner.admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
    ada = await parley.signInAgent(owner, { role: 'ADMIN' });
    const { body: sessions } = await ada.client.get('/sessions').expect(200);
    ids = {
      webhookId: webhook.id,
      deliveryId: list.deliveries[0].id,
      organizationId: owner.id,
      groupId: group.id,
      agentId: agent.id,
      botId: owner.botId,
      tokenId: token.id,
      chatId: owner.chatId,
      messageId: said.messages[0].id,
      visitorId: owner.visitorId,
      tagId: tagList.tags[0].id,
      linkId: link.id,
      sessionId: sessions.sessions[0].id,
    };
  });
  afterAll(() => parley.stop());

  const fill = (path: string, values: Record<string, string>) =>
    path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? (name === 'seq' ? '1' : 'missing'));
  const call = ({ method, path }: Route, values: Record<string, string>, token?: string, body: object = {}) => {
    const asked = request(parley.url)[method.toLowerCase() as 'get'](fill(path, values));
    if (token) asked.set('Authorization', `Bearer ${token}`);
    return method === 'GET' || method === 'DELETE' ? asked : asked.send(body);
  };
  // The body of a valid request to the owner's resource.
  const bodies: Record<string, object> = {
    '/api/bot/messages': { content: 'x' },
    '/api/bot/transfer': {},
    '/api/bot/chats/:chatId/typing': { isTyping: true, text: 'x' },
    '/api/bot/chats/:chatId/read': { seq: 1 },
    '/api/bot/chats/:chatId/state': { state: { a: 1 } },
    '/api/bot/chats/:chatId': { title: 'x' },
    '/api/bot/chats/:chatId/tags': { tags: ['x'] },
    '/api/agent/chats/:chatId/tags': { tags: ['x'] },
    '/api/agent/chats/:chatId': { title: 'x' },
    '/api/agent/visitors/:visitorId': { attributes: { x: 1 } },
    '/api/bot/visitors/:visitorId': { attributes: { x: 1 } },
    '/api/agent/chats/:chatId/messages': { content: 'x' },
    '/api/agent/chats/:chatId/block': { reason: 'x' },
    '/api/admin/organizations/:organizationId/attribute-keys': { keys: ['x'] },
    '/api/admin/organizations/:organizationId/captcha': { provider: 'TURNSTILE', siteKey: 'x', secret: 'x' },
    '/api/admin/organizations/:organizationId/widget/pictures/:place': { content: PNG },
    '/api/agent/chats/:chatId/notes': { content: 'x' },
    '/api/agent/chats/:chatId/notes/:noteId': { content: 'x' },
    '/api/agent/chats/:chatId/typing': { isTyping: true, text: 'x' },
    '/api/agent/chats/:chatId/read': { seq: 1 },
    '/api/visitor/chats': {},
    '/api/visitor/chats/:chatId/messages': { content: 'x', replyTo: { messageId: 'msg_x', value: 'x' } },
    '/api/visitor/chats/:chatId/typing': { isTyping: true, text: 'x' },
    '/api/visitor/chats/:chatId/read': { seq: 1 },
    '/api/visitor/chats/:chatId/rating': { score: 1 },
    '/api/visitor/chats/:chatId/messages/:messageId/rating': { rating: 'UP' },
  };
  const rows = async () => {
    const tables = [
      'organizations',
      'groups',
      'agents',
      'agent_groups',
      'bots',
      'access_tokens',
      'agent_sessions',
      'sign_in_links',
      'audit_entries',
      'visitors',
      'ended_visitor_tokens',
      'chats',
      'chat_reads',
      'attribute_keys',
      'chat_tags',
      'tag_names',
      'tags',
      'ratings',
      'message_ratings',
      'visitor_blocks',
      'person_requests',
      'bot_states',
      'handoffs',
      'chat_offers',
      'chat_followers',
      'note_mentions',
      'notes',
      'canned_replies',
      'messages',
      'receivers',
      'webhooks',
      'subscriptions',
      'shared_answers',
      'shared_chats',
      'subscription_answers',
      'subscription_copies',
      'deliveries',
    ];
    // A token's last use is written with a delay, so it isn't a change by this request.
    const withoutUse = `(SELECT to_jsonb(t) - 'last_used_at')::text`;
    const texts = tables.map((name) => {
      const row = ['access_tokens', 'agent_sessions'].includes(name) ? withoutUse : 't::text';
      return parley.query(`SELECT ${row} AS row FROM ${name} t ORDER BY 1`);
    });
    return JSON.stringify(await Promise.all(texts)).replace(/"\d{4}-\d\d-\d\d [^"]*"/g, 'time');
  };

  it('the suite finds the routes of the application', () => {
    expect(routes.length).toBeGreaterThan(35);
    for (const known of PUBLIC_ROUTES) expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(known);
  });

  it('every route except the public ones answers 401 without a token, with a wrong one, or with one of another kind', async () => {
    for (const route of routes) {
      if (PUBLIC.has(`${route.method} ${route.path}`)) continue;
      const isAgentRoute = route.path.startsWith('/api/agent');
      const isVisitorRoute = route.path.startsWith('/api/visitor');
      const isBotRoute = route.path.startsWith('/api/bot');
      const others = [
        undefined,
        'nonsense',
        isVisitorRoute ? owner.token : owner.visitorToken,
        isBotRoute ? 'test-admin-token' : owner.token,
        isAgentRoute ? 'test-admin-token' : `prl_ags_${'a'.repeat(38)}`,
      ];
      for (const token of others) {
        const { status, body } = await call(route, ids, token, bodies[route.path]);
        expect([route, token, status, body.code]).toEqual([route, token, 401, 'unauthorized']);
      }
    }
  });

  it("a bot of another organization gets the same response as for a chat that doesn't exist", async () => {
    const before = await rows();
    const botRoutes = routes.filter(
      ({ method, path }) =>
        path.startsWith('/api/bot/') && !ABOUT_THE_BOT.includes(path) && !PUBLIC.has(`${method} ${path}`),
    );
    expect(botRoutes.length).toBeGreaterThanOrEqual(6);
    for (const route of botRoutes) {
      const at = (chatId: string) =>
        call(route, { chatId }, stranger.token, { chatId, ...bodies[route.path] }).set('X-Request-Id', 'same');
      const [theirs, nobodys] = [await at(owner.chatId), await at('cht_01h455vb4pex5vsknk084sn02q')];
      expect([theirs.status, theirs.body]).toEqual([nobodys.status, nobodys.body]);
      expect(JSON.stringify(theirs.body)).not.toMatch(new RegExp(`secret|${Object.values(ids).join('|')}`));
    }
    const transfer = await stranger.bot
      .post('/transfer', { chatId: stranger.chatId, targetGroupId: ids.groupId })
      .expect(404);
    expect(transfer.body.detail).toBe('Group not found');
    await stranger.bot.post('/chats', { visitorId: owner.visitorId }).expect(404);
    expect((await stranger.bot.get(`/chats?visitorId=${owner.visitorId}`).expect(200)).body.chats).toEqual([]);
    expect(await rows()).toBe(before);
  });

  it("an agent of another organization gets the same response as for a chat that doesn't exist", async () => {
    const { token, id } = await parley.signInAgent(stranger, { role: 'ADMIN' });
    const owned = await parley.signInAgent(owner, { role: 'ADMIN' });
    const { body: reply } = await owned.client.post('/replies', { shortcut: 'secret', content: 'secret' }).expect(201);
    const { body: note } = await owned.client.post(`/chats/${owner.chatId}/notes`, { content: 'secret' }).expect(201);
    const before = await rows();
    const ofThings = routes.filter(({ path }) => /^\/api\/agent\/(?:chats|replies|offers|visitors)\/:\w+Id/.test(path));
    expect(ofThings.length).toBeGreaterThanOrEqual(8);
    for (const route of ofThings) {
      const at = (chatId: string, replyId: string, noteId: string, visitorId: string) =>
        call(route, { chatId, replyId, offerId: replyId, noteId, visitorId }, token, {
          agentId: id,
          ...bodies[route.path],
        }).set('X-Request-Id', 'same');
      const none = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;
      const theirs = await at(owner.chatId, reply.id, note.id, owner.visitorId);
      const nobodys = await at(none('cht'), none('rpl'), none('not'), none('vis'));
      expect([route, theirs.status, theirs.body]).toEqual([route, 404, nobodys.body]);
    }
    expect(await rows()).toBe(before);
    for (const { path } of routes.filter(
      ({ method, path }) => method === 'GET' && /^\/api\/agent\/[a-z/]+$/.test(path),
    )) {
      if (path === '/api/agent/docs') continue;
      const { text } = await call({ method: 'GET', path: `${path}?from=2026-01-01&to=2026-01-02` }, {}, token);
      expect([path, text]).toEqual([path, expect.not.stringContaining('secret')]);
      expect([path, text]).toEqual([path, expect.not.stringContaining(owner.chatId)]);
    }
  });

  it('the admin API answers 404 for a resource of another organization, and changes nothing', async () => {
    const before = await rows();
    const nested = routes.filter(
      ({ path }) =>
        path.startsWith('/api/admin/organizations/:organizationId/') && /:\w+Id(?:$|\/)/.test(path.slice(42)),
    );
    expect(nested.length).toBeGreaterThanOrEqual(20);
    for (const route of nested) {
      const wrong = { ...ids, organizationId: stranger.id };
      const { status } = await call(route, wrong, 'test-admin-token', {
        name: 'stolen',
        status: 'CLOSED',
        since: '2026-01-01T00:00:00Z',
        into: 'tag_x',
        attributes: { x: 1 },
        ...(route.path.endsWith('/preview') && { chatId: ids.chatId }),
        ...(route.method === 'PUT' && { kind: 'openai', url: 'https://example.com/v1', model: 'm-1' }),
      });
      expect([route, status]).toEqual([route, 404]);
    }
    const { status } = await stranger.admin.post('/agents', {
      name: 'x',
      email: 'x@example.com',
      groupIds: [ids.groupId],
    });
    expect(status).toBe(400);
    expect((await stranger.admin.post('/chats', { groupId: ids.groupId })).status).toBe(400);
    await stranger.admin.post(`/bots/${owner.botId}/tokens`, {}).expect(404);
    await stranger.admin.get(`/bots/${owner.botId}/tokens`).expect(404);
    expect(await rows()).toBe(before);
  });

  it("an administrator's session gets 404 for another organization on every route, and changes nothing", async () => {
    const before = await rows();
    const inOrganization = routes.filter(({ path }) => path.startsWith('/api/admin/organizations/:organizationId'));
    expect(inOrganization.length).toBeGreaterThanOrEqual(30);
    for (const route of inOrganization) {
      const { status, body } = await call(route, { ...ids, organizationId: stranger.id }, ada.token, {
        name: 'stolen',
      });
      expect([route, status, body.detail]).toEqual([route, 404, 'Organization not found']);
    }
    expect(await rows()).toBe(before);
  });

  it("an agent can't end another agent's session", async () => {
    const mallory = await parley.signInAgent(stranger, { role: 'ADMIN' });
    await mallory.client.delete(`/sessions/${ids.sessionId}`).expect(404);
    await ada.client.get('/session').expect(200);
  });

  it("a visitor of another organization gets the same response as for a chat that doesn't exist", async () => {
    for (const route of routes.filter(({ path }) => path.startsWith('/api/visitor/chats'))) {
      const { status, body } = await call(route, ids, stranger.visitorToken, {
        chatId: owner.chatId,
        ...bodies[route.path],
      });
      if (route.method === 'GET' && route.path === '/api/visitor/chats')
        expect(body.chats.map(({ id }: any) => id)).toEqual([stranger.chatId]);
      else expect([route, status]).toEqual([route, 404]);
    }
  });

  it('a bot polls its own events, and changes its own subscription only', async () => {
    await owner.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await owner.bot.post('/messages', { chatId: owner.chatId, content: 'secret' }).expect(200);
    const { body: theirs } = await owner.bot.get('/events?wait=0').expect(200);
    expect(theirs.events).toHaveLength(1);
    const before = await rows();
    await stranger.bot.get('/subscription').expect(404);
    await stranger.bot.delete('/subscription').expect(404);
    await stranger.bot.get(`/events?wait=0&ack=${theirs.ack}`).expect(400);
    expect(await rows()).toBe(before);
    expect((await stranger.bot.get('/events?wait=0').expect(200)).body.events).toEqual([]);
    expect((await owner.bot.get('/events?wait=0').expect(200)).body.events).toEqual(theirs.events);
  });

  it('a bot sees only the groups and chats of its own organization', async () => {
    expect((await stranger.bot.get('/chats')).body.chats.map(({ id }: any) => id)).toEqual([stranger.chatId]);
    expect((await stranger.bot.get('/groups')).body).toHaveLength(1);
    expect((await owner.bot.get('/groups')).body).toHaveLength(2);
  });
});
