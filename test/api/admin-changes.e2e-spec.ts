import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { OpenApi } from '../support/openapi.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { PNG } from '../support/pictures.js';

const ORG = '/api/admin/organizations/{organizationId}';
const CONNECTION = { kind: 'openai', url: 'https://example.com/secret/v1', model: 'm-1' };

/** Routes that change nothing the audit log records, and why. */
const UNRECORDED: Record<string, string> = {
  'POST /api/admin/operators': "the installation's log has it",
  'DELETE /api/admin/operators/{operatorId}': "the installation's log has it",
  [`DELETE ${ORG}`]: "the installation's log has it, because a deleted organization shows none",
  [`POST ${ORG}/chats`]: 'a chat is work and no setting; it has its own history, and the log keeps nothing of visitors',
  [`PATCH ${ORG}/chats/{chatId}`]: 'the same; chat.closed, chat.reopened, and chat.updated say who did it',
  [`PATCH ${ORG}/visitors/{visitorId}`]: 'the log keeps nothing of visitors; visitor.updated says who did it',
  [`POST ${ORG}/search/rebuild`]: 'writes again what is stored, and changes no setting',
  [`POST ${ORG}/webhooks/{webhookId}/ping`]: 'changes nothing',
  [`POST ${ORG}/bots/{botId}/connection/preview`]: 'changes nothing',
  [`POST ${ORG}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`]: 'sends again what was sent',
  [`POST ${ORG}/webhooks/{webhookId}/deliveries/redeliver`]: 'sends again what was sent',
  'POST /api/admin/organizations/{organizationId}/mail/test': 'changes nothing, and its mail is in the list of mails',
  'POST /api/admin/secrets/reseal': 'concerns no single organization, and changes no secret',
};

/** A request for every other route, and the actions it leaves in the log. */
type Recorded = Record<string, [ask: (own: Own) => PromiseLike<unknown>, ...actions: string[]]>;

interface Own {
  parley: Parley;
  tenant: Tenant;
  groupId: string;
  agentId: string;
  linkId: string;
  botId: string;
  tokenId: string;
  webhookId: string;
  visitorId: string;
}

const CAPTCHA = { provider: 'TURNSTILE', siteKey: '0x4AAA', secret: 'hunter2' };
const URL = 'https://hooks.example.com/services/hunter2?key=hunter2#hunter2';

const RECORDED: Recorded = {
  'POST /api/admin/organizations': [({ parley }) => parley.admin.post('', { name: 'Other' }).expect(201)],
  [`PATCH ${ORG}`]: [
    ({ tenant }) => tenant.admin.patch('', { name: 'Acme 2', retentionDays: 30 }).expect(200),
    'organization.changed',
    'organization.retention_changed',
  ],
  [`POST ${ORG}/restore`]: [
    async ({ parley, tenant }) => {
      await parley.admin.delete(`/${tenant.id}`).expect(204);
      return tenant.admin.post('/restore', {}).expect(200);
    },
    'organization.deleted',
    'organization.restored',
  ],
  [`POST ${ORG}/groups`]: [
    ({ tenant }) => tenant.admin.post('/groups', { name: 'Sales' }).expect(201),
    'group.created',
  ],
  [`PATCH ${ORG}/groups/{groupId}`]: [
    ({ tenant, groupId }) => tenant.admin.patch(`/groups/${groupId}`, { routing: 'OFFER' }).expect(200),
    'group.changed',
  ],
  [`DELETE ${ORG}/groups/{groupId}`]: [
    ({ tenant, groupId }) => tenant.admin.delete(`/groups/${groupId}`).expect(204),
    'group.deleted',
  ],
  [`POST ${ORG}/agents`]: [
    ({ tenant }) => tenant.admin.post('/agents', { name: 'Ada', email: 'ada@example.com' }).expect(201),
    'agent.created',
  ],
  [`PATCH ${ORG}/agents/{agentId}`]: [
    ({ tenant, agentId, groupId }) =>
      tenant.admin
        .patch(`/agents/${agentId}`, {
          name: 'Grace',
          email: 'grace@example.com',
          role: 'SUPERVISOR',
          groupIds: [groupId],
          isEnabled: false,
        })
        .expect(200),
    'agent.changed',
    'agent.disabled',
    'agent.email_changed',
    'agent.groups_changed',
    'agent.role_changed',
  ],
  [`DELETE ${ORG}/agents/{agentId}`]: [
    ({ tenant, agentId }) => tenant.admin.delete(`/agents/${agentId}`).expect(204),
    'agent.deleted',
  ],
  [`POST ${ORG}/agents/{agentId}/sign-in-links`]: [
    ({ tenant, agentId }) => tenant.admin.post(`/agents/${agentId}/sign-in-links`, {}).expect(201),
    'link.created',
  ],
  [`DELETE ${ORG}/agents/{agentId}/sign-in-links/{linkId}`]: [
    ({ tenant, agentId, linkId }) => tenant.admin.delete(`/agents/${agentId}/sign-in-links/${linkId}`).expect(204),
    'link.revoked',
  ],
  [`POST ${ORG}/bots`]: [({ tenant }) => tenant.admin.post('/bots', { name: 'Bot' }).expect(201), 'bot.created'],
  [`PATCH ${ORG}/bots/{botId}`]: [
    ({ tenant, botId }) => tenant.admin.patch(`/bots/${botId}`, { name: 'Robot' }).expect(200),
    'bot.changed',
  ],
  [`DELETE ${ORG}/bots/{botId}`]: [
    ({ tenant, botId }) => tenant.admin.delete(`/bots/${botId}`).expect(204),
    'bot.deleted',
  ],
  [`PUT ${ORG}/bots/{botId}/connection`]: [
    ({ tenant, botId }) => tenant.admin.put(`/bots/${botId}/connection`, CONNECTION).expect(200),
    'connection.created',
  ],
  [`PATCH ${ORG}/bots/{botId}/connection`]: [
    async ({ tenant, botId }) => {
      await tenant.admin.put(`/bots/${botId}/connection`, CONNECTION).expect(200);
      return tenant.admin.patch(`/bots/${botId}/connection`, { tries: 1 }).expect(200);
    },
    'connection.changed',
    'connection.created',
  ],
  [`POST ${ORG}/bots/{botId}/connection/test`]: [
    ({ tenant, botId }) => {
      const connection = { ...CONNECTION, url: 'https://model.invalid/v1' };
      return tenant.admin.post(`/bots/${botId}/connection/test`, { connection }).expect(200);
    },
    'connection.tested',
  ],
  [`POST ${ORG}/bots/{botId}/connection/rotate-secret`]: [
    async ({ tenant, botId }) => {
      await tenant.admin.put(`/bots/${botId}/connection`, { kind: 'agui', url: 'https://agent.example/' }).expect(200);
      return tenant.admin.post(`/bots/${botId}/connection/rotate-secret`, {}).expect(200);
    },
    'connection.created',
    'connection.secret_rotated',
  ],
  [`DELETE ${ORG}/bots/{botId}/connection`]: [
    async ({ tenant, botId }) => {
      await tenant.admin.put(`/bots/${botId}/connection`, CONNECTION).expect(200);
      return tenant.admin.delete(`/bots/${botId}/connection`).expect(204);
    },
    'connection.created',
    'connection.deleted',
  ],
  [`POST ${ORG}/bots/{botId}/tokens`]: [
    ({ tenant, botId }) => tenant.admin.post(`/bots/${botId}/tokens`, { name: 'CI' }).expect(201),
    'token.created',
  ],
  [`DELETE ${ORG}/bots/{botId}/tokens/{tokenId}`]: [
    ({ tenant, botId, tokenId }) => tenant.admin.delete(`/bots/${botId}/tokens/${tokenId}`).expect(204),
    'token.revoked',
  ],
  [`POST ${ORG}/webhooks`]: [
    ({ tenant }) => tenant.admin.post('/webhooks', { url: URL }).expect(201),
    'webhook.created',
  ],
  [`PATCH ${ORG}/webhooks/{webhookId}`]: [
    ({ tenant, webhookId }) =>
      tenant.admin.patch(`/webhooks/${webhookId}`, {
        url: `${URL}&other=1`,
        events: ['chat.closed'],
        isEnabled: false,
      }),
    'webhook.changed',
    'webhook.disabled',
  ],
  [`DELETE ${ORG}/webhooks/{webhookId}`]: [
    ({ tenant, webhookId }) => tenant.admin.delete(`/webhooks/${webhookId}`).expect(204),
    'webhook.deleted',
  ],
  [`POST ${ORG}/webhooks/{webhookId}/rotate-secret`]: [
    ({ tenant, webhookId }) => tenant.admin.post(`/webhooks/${webhookId}/rotate-secret`, {}).expect(200),
    'webhook.secret_rotated',
  ],
  [`POST ${ORG}/rotate-identity-secret`]: [
    ({ tenant }) => tenant.admin.post('/rotate-identity-secret', {}).expect(200),
    'organization.identity_secret_rotated',
  ],
  [`DELETE ${ORG}/visitors/{visitorId}`]: [
    ({ tenant, visitorId }) => tenant.admin.delete(`/visitors/${visitorId}`).expect(204),
    'visitor.erased',
    'visitor.erasure_began',
  ],
  [`DELETE ${ORG}/blocked-visitors/{visitorId}`]: [
    async ({ parley, tenant, visitorId }) => {
      const row = [tenant.id, visitorId];
      await parley.query(`INSERT INTO visitor_blocks VALUES ($1, $2, NULL, NULL, 'agt_x', 'Ada', now())`, row);
      return tenant.admin.delete(`/blocked-visitors/${visitorId}`).expect(204);
    },
    'visitor.unblocked',
  ],
  [`PATCH ${ORG}/widget`]: [
    ({ tenant }) => tenant.admin.patch('/widget', { greeting: 'Hello' }).expect(200),
    'widget.changed',
  ],
  [`PUT ${ORG}/widget/pictures/{place}`]: [
    ({ tenant }) => tenant.admin.put('/widget/pictures/bot', { content: PNG }).expect(200),
    'widget.changed',
  ],
  [`DELETE ${ORG}/widget/pictures/{place}`]: [
    async ({ tenant }) => {
      await tenant.admin.put('/widget/pictures/bot', { content: PNG }).expect(200);
      return tenant.admin.delete('/widget/pictures/bot').expect(204);
    },
    'widget.changed',
    'widget.changed',
  ],
  [`PUT ${ORG}/captcha`]: [({ tenant }) => tenant.admin.put('/captcha', CAPTCHA).expect(200), 'widget.changed'],
  [`DELETE ${ORG}/captcha`]: [
    async ({ tenant }) => {
      await tenant.admin.put('/captcha', CAPTCHA).expect(200);
      return tenant.admin.delete('/captcha').expect(204);
    },
    'widget.changed',
    'widget.changed',
  ],
  [`PATCH ${ORG}/tags/{tagId}`]: [
    async ({ tenant }) => tenant.admin.patch(`/tags/${await tagOf(tenant, 'red')}`, { name: 'green' }).expect(200),
    'tag.changed',
  ],
  [`POST ${ORG}/tags/{tagId}/merge`]: [
    async ({ tenant }) => {
      const into = await tagOf(tenant, 'two');
      return tenant.admin.post(`/tags/${await tagOf(tenant, 'one')}/merge`, { into }).expect(200);
    },
    'tag.merged',
  ],
  [`DELETE ${ORG}/tags/{tagId}`]: [
    async ({ tenant }) => tenant.admin.delete(`/tags/${await tagOf(tenant, 'three')}`).expect(204),
    'tag.deleted',
  ],
  [`PUT ${ORG}/attribute-keys`]: [
    ({ tenant }) => tenant.admin.put('/attribute-keys', { keys: ['plan'] }).expect(200),
    'organization.changed',
  ],
};

/** The id of a tag that the tenant's chat gets. */
async function tagOf({ bot, admin, chatId }: Tenant, name: string): Promise<string> {
  await bot.post(`/chats/${chatId}/tags`, { add: [name] }).expect(200);
  const { body } = await admin.get(`/tags?prefix=${name}`).expect(200);
  return body.tags[0].id as string;
}

/** The agent API's routes that change settings. */
const RECORDED_OF_AGENTS: Record<string, [ask: (replyId: string, agent: SignedInAgent) => Test, action: string]> = {
  'POST /api/agent/replies': [
    (_, { client }) => client.post('/replies', { shortcut: 'new', content: 'x' }),
    'reply.created',
  ],
  'PATCH /api/agent/replies/{replyId}': [
    (id, { client }) => client.patch(`/replies/${id}`, { content: 'y' }),
    'reply.changed',
  ],
  'DELETE /api/agent/replies/{replyId}': [(id, { client }) => client.delete(`/replies/${id}`), 'reply.deleted'],
};

describe("the audit log of administrators' changes", () => {
  let parley: Parley;
  let openApi: OpenApi;
  let agentApi: OpenApi;

  beforeAll(async () => {
    parley = await Parley.start();
    openApi = await OpenApi.read(parley.url, '/api/admin/docs');
    agentApi = await OpenApi.read(parley.url, '/api/agent/docs');
  });
  afterAll(() => parley.stop());

  const changing = ({ operations }: OpenApi) =>
    operations.map(([name]) => name).filter((name) => !name.startsWith('GET '));

  const make = async (): Promise<Own> => {
    const tenant = await parley.createTenant();
    const { admin, botId, visitorId } = tenant;
    const { body: group } = await admin.post('/groups', { name: 'Support' }).expect(201);
    const { body: agent } = await admin.post('/agents', { name: 'Bob', email: 'bob@example.com' }).expect(201);
    const { body: link } = await admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
    const { body: token } = await admin.post(`/bots/${botId}/tokens`, { name: 'Old' }).expect(201);
    const { body: webhook } = await admin.post('/webhooks', { url: URL }).expect(201);
    const ids = { groupId: group.id, agentId: agent.id, linkId: link.id, tokenId: token.id, webhookId: webhook.id };
    return { parley, tenant, botId, visitorId, ...ids };
  };
  const log = async ({ admin }: Tenant) => (await admin.get('/audit').expect(200)).body.entries as any[];

  it("every route is recorded, or has a reason why it isn't", () => {
    const known = [...Object.keys(RECORDED), ...Object.keys(UNRECORDED)];
    expect(changing(openApi).toSorted()).toEqual(known.toSorted());
    const replies = changing(agentApi).filter((name) => name.includes('/replies'));
    expect(replies.toSorted()).toEqual(Object.keys(RECORDED_OF_AGENTS).toSorted());
  });

  it.each(Object.entries(RECORDED))(
    "an administrator's change leaves its entries: %s",
    async (name, [ask, ...actions]) => {
      const own = await make();
      const before = await log(own.tenant);
      const { body } = (await ask(own)) as { body: { id?: string } };
      const tenant = actions.length > 0 ? own.tenant : { ...own.tenant, admin: parley.admin.below(`/${body.id}`) };
      const expected = actions.length > 0 ? actions : ['organization.created'];
      const made = (await log(tenant)).filter(({ id }) => before.every((entry) => entry.id !== id));
      expect([name, made.map(({ action }) => action as string).toSorted()]).toEqual([name, expected]);
      for (const { actor, target, targetName, sourceAddress } of made) {
        expect([actor, sourceAddress]).toEqual([{ type: 'ADMIN', id: null, name: null }, '127.0.0.1']);
        const isNamed = !(target as string).startsWith('vis_') && !name.includes('/widget');
        expect([name, target, targetName !== null]).toEqual([name, target, isNamed]);
      }
    },
  );

  it.each(Object.entries(RECORDED_OF_AGENTS))("an agent's change leaves its entry: %s", async (_, [ask, action]) => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const { body: reply } = await ada.client.post('/replies', { shortcut: 'hours', content: '9 to 5' }).expect(201);
    expect((await ask(reply.id, ada)).status).toBeLessThan(300);
    const [entry] = await log(tenant);
    expect([entry.action, entry.actor]).toEqual([action, { type: 'AGENT', id: ada.id, name: 'Ada' }]);
    expect(entry.targetName).toBe(action === 'reply.created' ? 'new' : 'hours');
  });

  it('a token is recorded with the time when it expires', async () => {
    const { tenant, botId } = await make();
    const expiresAt = '2030-01-02T03:04:05.678Z';
    await tenant.admin.post(`/bots/${botId}/tokens`, { name: 'CI', expiresAt }).expect(201);
    const [entry] = await log(tenant);
    expect(entry.changes).toContainEqual({ field: 'expiresAt', from: null, to: expiresAt });
  });

  it('setting another default group leaves an entry for the previous one', async () => {
    const { tenant, groupId } = await make();
    const { body: groups } = await tenant.admin.get('/groups').expect(200);
    const before = groups.groups.find(({ isDefault }: { isDefault: boolean }) => isDefault);
    await tenant.admin.patch(`/groups/${groupId}`, { isDefault: true }).expect(200);
    const { body: third } = await tenant.admin.post('/groups', { name: 'Third', isDefault: true }).expect(201);
    const switches = (await log(tenant)).flatMap(({ action, targetName, changes }) =>
      changes
        .filter(({ field }: { field: string }) => field === 'isDefault')
        .map(({ to }: any) => [action, targetName, to]),
    );
    expect(switches.slice(0, 4)).toEqual([
      ['group.created', third.name, true],
      ['group.changed', 'Support', false],
      ['group.changed', 'Support', true],
      ['group.changed', before.name, false],
    ]);
  });

  it('the log contains no secret', async () => {
    const own = await make();
    const asked = Object.entries(RECORDED).filter(([name]) => !name.startsWith('DELETE '));
    const secrets: string[] = ['hunter2', own.tenant.token, own.tenant.identitySecret];
    for (const [, [ask]] of asked) {
      const { body } = (await ask(own)) as { body: Record<string, string> };
      secrets.push(...['secret', 'token', 'identitySecret', 'url'].map((name) => body[name] ?? '').filter(Boolean));
    }
    const rows = await parley.query<{ row: string }>('SELECT e::text AS row FROM audit_entries e');
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain('https://hooks.example.com/…');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
