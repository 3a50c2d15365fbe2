import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { Client } from '../support/client.js';
import { OpenApi } from '../support/openapi.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const ORG = '/api/admin/organizations/{organizationId}';

/** A resource that can be changed: its URL, and bodies that make it differ. */
interface Changeable {
  client: Client;
  path: string;
  change: (turn: number) => object;
  /** Whether a change is a PUT of all of it. */
  isReplaced?: boolean;
}

const text = (field: string) => (turn: number) => ({ [field]: `text-${turn}` });

/** The resource of each route that changes one. */
const RESOURCES: Record<string, (tenant: Tenant, ada: SignedInAgent) => Promise<Changeable>> = {
  [ORG]: async ({ admin }) => ({ client: admin, path: '', change: (turn) => ({ retentionDays: turn + 10 }) }),
  [`${ORG}/groups/{groupId}`]: async ({ admin }) => {
    const { body } = await admin.post('/groups', { name: 'Sales' }).expect(201);
    return { client: admin, path: `/groups/${body.id}`, change: (turn) => ({ offerSeconds: 40 + turn }) };
  },
  [`${ORG}/agents/{agentId}`]: async ({ admin }, { id }) => ({
    client: admin,
    path: `/agents/${id}`,
    change: text('name'),
  }),
  [`${ORG}/bots/{botId}/connection`]: async ({ admin, botId }) => {
    const path = `/bots/${botId}/connection`;
    await admin.put(path, { kind: 'openai', url: 'https://example.com/v1', model: 'm-1' }).expect(200);
    return { client: admin, path, change: (turn) => ({ history: 10 + turn }) };
  },
  [`${ORG}/bots/{botId}`]: async ({ admin, botId }) => ({
    client: admin,
    path: `/bots/${botId}`,
    change: text('name'),
  }),
  [`${ORG}/webhooks/{webhookId}`]: async ({ admin }) => {
    const { body } = await admin.post('/webhooks', { url: 'https://example.com/' }).expect(201);
    const change = (turn: number) => ({ url: `https://example.com/${turn}` });
    return { client: admin, path: `/webhooks/${body.id}`, change };
  },
  [`${ORG}/attribute-keys`]: async ({ admin }) => ({
    client: admin,
    path: '/attribute-keys',
    change: (turn) => ({ keys: [`key-${turn}`] }),
    isReplaced: true,
  }),
  [`${ORG}/widget`]: async ({ admin }) => ({ client: admin, path: '/widget', change: text('greeting') }),
  [`${ORG}/captcha`]: async ({ admin }) => ({
    client: admin,
    path: '/captcha',
    change: (turn) => ({ provider: 'TURNSTILE', siteKey: `key-${turn}`, secret: 'hush' }),
    isReplaced: true,
  }),
  [`${ORG}/tags/{tagId}`]: async ({ admin, bot, chatId }) => {
    await bot.post(`/chats/${chatId}/tags`, { add: ['red'] }).expect(200);
    const { body } = await admin.get('/tags?prefix=red').expect(200);
    return { client: admin, path: `/tags/${body.tags[0].id}`, change: (turn) => ({ color: `#00000${turn}` }) };
  },
  [`${ORG}/chats/{chatId}`]: async ({ admin, chatId }) => ({
    client: admin,
    path: `/chats/${chatId}`,
    change: (turn) => ({ status: ['CLOSED', 'ACTIVE', 'QUEUED'][turn % 3] }),
  }),
  '/api/agent/replies/{replyId}': async (_, { client }) => {
    const { body } = await client.post('/replies', { shortcut: 'hours', content: 'x' }).expect(201);
    return { client, path: `/replies/${body.id}`, change: text('content') };
  },
  '/api/agent/own-replies/{replyId}': async (_, { client }) => {
    const { body } = await client.post('/own-replies', { shortcut: 'hours', content: 'x' }).expect(201);
    return { client, path: `/own-replies/${body.id}`, change: text('content') };
  },
  '/api/agent/views/{viewId}': async (_, { client }) => {
    const { body } = await client.post('/views', { name: 'Team', query: 'x', isShared: true }).expect(201);
    return { client, path: `/views/${body.id}`, change: text('name') };
  },
};

describe('resource versions (ETag and If-Match)', () => {
  let parley: Parley;
  let other: Parley;
  let apis: OpenApi[];

  beforeAll(async () => {
    parley = await Parley.start();
    other = await Parley.start({}, parley.databaseUrl);
    apis = [await OpenApi.read(parley.url, '/api/admin/docs'), await OpenApi.read(parley.url, '/api/agent/docs')];
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });

  const make = async (route: string): Promise<Changeable & { tenant: Tenant; ada: SignedInAgent }> => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    return { ...(await RESOURCES[route]!(tenant, ada)), tenant, ada };
  };
  const etagOf = ({ headers }: Response): string => headers.etag!;
  const read = ({ client, path }: Changeable) => client.get(path).expect(200);
  const send = ({ client, path, change, isReplaced = false }: Changeable, turn: number) =>
    client[isReplaced ? 'put' : 'patch'](path, change(turn));
  const put = (one: Changeable, turn: number, tag: string) => send(one, turn).set('If-Match', tag);
  // Keys of attributes become ready by themselves.
  const versioned = ({ body }: Response) =>
    JSON.parse(JSON.stringify(body, (name, value) => (name === 'isReady' ? undefined : value)));

  // Only the agent changes the own agent, own notes, and what the agent follows. A picture, a block, and a chat's title and tags replace the
  // ones before. Attributes are merged by key.
  it('every resource with a PATCH or a PUT has a documented version, unless it is own or set as a whole', () => {
    const own =
      /\/(?:presence|password|session|push|push\/subscriptions|notes\/\{noteId\}|block|followed|pictures\/\{place\}|tags|agent\/chats\/\{chatId\}|visitors\/\{visitorId\})$/;
    const changing = apis.flatMap(({ operations }) =>
      operations.filter(([name]) => /^(?:PATCH|PUT) /.test(name) && !own.test(name)),
    );
    const paths = new Set(changing.map(([name]) => name.split(' ')[1]!));
    expect([...paths].toSorted()).toEqual(Object.keys(RESOURCES).toSorted());
    for (const [name, { parameters, responses }] of changing) {
      const header = parameters.find((one: any) => one.in === 'header' && one.name === 'If-Match');
      expect([name, header?.required, Boolean(responses['412'])]).toEqual([name, false, true]);
      expect([name, Object.keys(responses['200'].headers ?? {})]).toEqual([name, ['ETag', 'X-Request-Id']]);
    }
  });

  it.each(Object.keys(RESOURCES))(
    'a change with If-Match is accepted only for the current version: %s',
    async (route) => {
      const one = await make(route);
      const first = await read(one);
      expect(etagOf(first)).toMatch(/^"[\w-]+"$/);
      expect(etagOf(await read(one))).toBe(etagOf(first));

      const second = await put(one, 0, etagOf(first)).expect(200);
      expect(etagOf(second)).not.toBe(etagOf(first));
      expect(etagOf(await read(one))).toBe(etagOf(second));

      const refused = await put(one, 1, etagOf(first)).expect(412);
      expect([refused.body.code, refused.headers['content-type']]).toEqual([
        'precondition_failed',
        'application/problem+json; charset=utf-8',
      ]);
      expect(versioned(await read(one))).toEqual(versioned(second));

      await put(one, 1, `"other", ${etagOf(second)}`).expect(200);
      await put(one, 2, '*').expect(200);
      await send(one, 3).expect(200);
      await put(one, 4, `W/${etagOf(await read(one))}`).expect(412);
      for (const wrong of ['x', '"x', '"x" "y"', ',']) {
        const { body } = await put(one, 4, wrong).expect(400);
        expect([wrong, body.code, body.errors[0].pointer]).toEqual([wrong, 'validation_failed', 'If-Match']);
      }
    },
  );

  it.each(Object.keys(RESOURCES))(
    'one of many clients who read the same version is first, on two nodes: %s',
    async (route) => {
      const one = await make(route);
      const isAgents = route.startsWith('/api/agent');
      const elsewhere = {
        ...one,
        client: isAgents ? new Client(`${other.url}/api/agent`, one.ada.token) : other.admin.below(`/${one.tenant.id}`),
      };
      // Chats have few states: from ACTIVE, only CLOSED and QUEUED are changes.
      const turnOf = (at: number) => (route.endsWith('{chatId}') ? (at % 2) * 2 : at);
      const tag = etagOf(await read(one));
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          put(at % 2 ? one : elsewhere, turnOf(at), tag).then(({ status }) => status),
        ),
      );
      expect(answers.toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(412)]);
    },
  );

  it('the response that creates a resource has its version, without the members shown only once', async () => {
    const { body: organization, headers } = await parley.admin.post('', { name: 'Acme' }).expect(201);
    const admin = parley.admin.below(`/${organization.id}`);
    expect(headers.etag).toBe(etagOf(await admin.get('')));
    const added: [string, object][] = [
      ['/groups', { name: 'Sales' }],
      ['/agents', { name: 'Ada', email: 'ada@example.com' }],
      ['/bots', { name: 'Bot' }],
      ['/webhooks', { url: 'https://example.com/' }],
      ['/chats', {}],
    ];
    for (const [path, body] of added) {
      const made = await admin.post(path, body).expect(201);
      expect([path, etagOf(made)]).toEqual([path, etagOf(await admin.get(`${path}/${made.body.id}`))]);
    }
  });

  it("an agent’s load, presence, and last use don't change their version", async () => {
    const one = await make(`${ORG}/agents/{agentId}`);
    const tag = etagOf(await read(one));
    await parley.connectAgent(one.ada.token);
    await one.ada.client.put('/presence', { isAccepting: false }).expect(200);
    await one.tenant.admin.patch(`/chats/${one.tenant.chatId}`, { status: 'QUEUED' }).expect(200);
    await one.ada.client.post(`/chats/${one.tenant.chatId}/claim`, {}).expect(200);
    await one.tenant.bot.post('/messages', { chatId: one.tenant.chatId, content: 'hello' }).expect(200);
    expect(etagOf(await read(one))).toBe(tag);
    await put(one, 1, tag).expect(200);
  });

  it('a chat and its messages share one version', async () => {
    const one = await make(`${ORG}/chats/{chatId}`);
    const tag = etagOf(await read(one));
    await one.tenant.bot.post('/messages', { chatId: one.tenant.chatId, content: 'wait' }).expect(200);
    await put(one, 0, tag).expect(412);
    await put(one, 0, etagOf(await read(one))).expect(200);
  });

  it('a captcha is removed only in the version that If-Match names', async () => {
    const one = await make(`${ORG}/captcha`);
    const first = etagOf(await send(one, 0).expect(200));
    await send(one, 1).expect(200);
    await one.client.delete(one.path).set('If-Match', first).expect(412);
    expect((await read(one)).body.captcha).toMatchObject({ siteKey: 'key-1' });
    await one.client
      .delete(one.path)
      .set('If-Match', etagOf(await read(one)))
      .expect(204);
  });

  it('If-Match is compared after malformed or unknown input is rejected, and before a conflict', async () => {
    const { admin } = await parley.createTenant();
    await admin.patch('/groups/grp_none', { name: 'x' }).set('If-Match', '"x"').expect(404);
    await admin.patch('/groups/grp_none', { name: ' ' }).set('If-Match', '"x"').expect(400);
    const { body } = await admin.get('/groups').expect(200);
    const [general] = body.groups;
    await admin.patch(`/groups/${general.id}`, { isDefault: false }).expect(409);
    await admin.patch(`/groups/${general.id}`, { isDefault: false }).set('If-Match', '"x"').expect(412);
  });
});
