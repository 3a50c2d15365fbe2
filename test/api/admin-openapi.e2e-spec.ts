import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { knownRoutes } from '../support/routes.js';
import { Client } from '../support/client.js';
import { OpenApi } from '../support/openapi.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const ROOT = '/api/admin/organizations';
const ONE = `${ROOT}/{organizationId}`;
const MANY_IDS = /\/(\w{3}_\w+)(?=\/|$|\?)/g;
const NAMES: Record<string, string> = {
  grp: 'groupId',
  agt: 'agentId',
  lnk: 'linkId',
  bot: 'botId',
  cht: 'chatId',
  vis: 'visitorId',
};

describe('the OpenAPI document of the admin API', () => {
  let parley: Parley;
  let tenant: Tenant;
  let openApi: OpenApi;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    tenant = await parley.createTenant();
    openApi = await OpenApi.read(parley.url, '/api/admin/docs');
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await parley.stop();
    await receiver.close();
  });

  it('the admin document has every route of the admin API, and no other', () => {
    expect(openApi.document.openapi).toBe('3.1.0');
    const routes = knownRoutes(parley)
      .filter((route) => route.includes(' /api/admin/') && !route.endsWith('/docs'))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    expect(openApi.operations.map(([name]) => name).toSorted()).toEqual(routes.toSorted());
  });

  it('the admin document defines every schema it refers to', () => {
    const references = JSON.stringify(openApi.document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g);
    const known = Object.keys(openApi.document.components.schemas);
    expect(Array.from(references, ([, name]) => name).filter((name) => !known.includes(name!))).toEqual([]);
  });

  it('the admin document names each operation once, its parameters, security scheme, and problems', () => {
    const ids = openApi.operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(openApi.document.components.securitySchemes.adminToken).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const [name, { security, responses, parameters, summary, requestBody }] of openApi.operations) {
      const isOfOrganization = name.includes(' /api/admin/organizations');
      expect([name, security]).toEqual([
        name,
        [{ adminToken: [] }, ...(isOfOrganization ? [{ adminCookie: [] }] : [])],
      ]);
      expect([name, Boolean(summary)]).toEqual([name, true]);
      const inPath = Array.from(name.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter!);
      const known: string[] = parameters
        .filter((parameter: any) => parameter.in === 'path')
        .map((one: any) => one.name as string);
      expect([name, known.toSorted()]).toEqual([name, inPath.toSorted()]);
      const expected = ['401', '403', '429', '500', '503', ...(requestBody ? ['400', '415'] : [])];
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(expected)]);
    }
  });

  it("the service's responses match the admin document", async () => {
    const { admin, chatId, botId, visitorId } = tenant;
    const path = (asked: string) => ONE + asked.replaceAll(MANY_IDS, (_, id: string) => `/{${NAMES[id.slice(0, 3)]}}`);
    const get = async (asked: string, documented = path(asked)) =>
      openApi.check(documented.split('?')[0]!, 'get', await admin.get(asked));
    const change = async (method: 'post' | 'patch', asked: string, body: object, documented = path(asked)) => {
      const answer = await admin[method](asked, body);
      openApi.check(documented, method, answer);
      return answer.body;
    };
    const remove = async (asked: string, documented = path(asked)) =>
      openApi.check(documented, 'delete', await admin.delete(asked));

    const made = await parley.admin.post('', { name: 'Other' });
    openApi.check(ROOT, 'post', made);
    openApi.check(ROOT, 'get', await parley.admin.get(''));
    openApi.check(ROOT, 'get', await parley.admin.get('?limit=0'));
    openApi.check(ROOT, 'get', await new Client(`${parley.url}${ROOT}`, 'wrong').get(''));
    openApi.check(ONE, 'delete', await parley.admin.delete(`/${made.body.id}`));
    openApi.check(ONE, 'get', await parley.admin.get(`/${made.body.id}`));
    await get('');
    await change('patch', '', { timeZone: 'Europe/Berlin', retentionDays: 30, typingPreview: true });
    await change('patch', '', { timeZone: 'nowhere' });

    const group = await change('post', '/groups', { name: 'Sales', routing: 'OFFER' });
    for (const one of ['/groups', `/groups/${group.id}`]) await get(one);
    await change('patch', `/groups/${group.id}`, { offerSeconds: 20 });
    const agent = await change('post', '/agents', { name: 'Ada', email: 'ada@example.com', groupIds: [group.id] });
    await change('post', '/agents', { name: 'Ada', email: 'ada@example.com' });
    for (const one of ['/agents', `/agents/${agent.id}`]) await get(one);
    await change('patch', `/agents/${agent.id}`, { capacity: 3, avatarUrl: null });
    const link = await change('post', `/agents/${agent.id}/sign-in-links`, {});
    await remove(`/agents/${agent.id}/sign-in-links/${link.id}`);
    await get('/audit');
    await get('/audit?action=agent.created&actor=ADMIN_TOKEN&from=2026-01-01T00:00:00Z&to=2126-01-01T00:00:00Z');
    await get('/audit?actor=nobody');
    await get('/audit/export');
    await remove(`/agents/${agent.id}`);
    await remove(`/groups/${group.id}`);

    const bot = await change('post', '/bots', { name: 'Second' });
    for (const one of ['/bots', `/bots/${bot.id}`]) await get(one);
    await change('patch', `/bots/${bot.id}`, { name: 'Third' });
    const tokens = `${ONE}/bots/{botId}/tokens`;
    const token = await change('post', `/bots/${botId}/tokens`, { name: 'CI' }, tokens);
    await get(`/bots/${botId}/tokens`, tokens);
    await get(`/bots/${botId}/tokens/${token.id}`, `${tokens}/{tokenId}`);
    await remove(`/bots/${botId}/tokens/${token.id}`, `${tokens}/{tokenId}`);
    await remove(`/bots/${bot.id}`);

    await change('post', '/chats', { visitor: { name: 'Vera' } });
    for (const one of ['/chats', '/chats?owner=BOT', `/chats/${chatId}`]) await get(one);
    await change('patch', `/chats/${chatId}`, { status: 'QUEUED' });
    for (const one of ['/visitors', `/visitors/${visitorId}`, `/visitors/${visitorId}/export`]) await get(one);

    const webhooks = `${ONE}/webhooks`;
    const hook = await change('post', '/webhooks', { url: receiver.url, events: ['message.created'] }, webhooks);
    const own = `/webhooks/${hook.id}`;
    await get('/webhooks', webhooks);
    await get(own, `${webhooks}/{webhookId}`);
    await change('patch', own, { senderTypes: ['BOT'] }, `${webhooks}/{webhookId}`);
    await change('post', `${own}/ping`, {}, `${webhooks}/{webhookId}/ping`);
    await change('post', `${own}/rotate-secret`, {}, `${webhooks}/{webhookId}/rotate-secret`);
    await tenant.bot.post('/messages', { chatId, content: 'hello' }).expect(200);
    await receiver.until((received) => received.some(({ event }) => event.type === 'message.created'));
    const deliveries = `${webhooks}/{webhookId}/deliveries`;
    await get(`${own}/deliveries`, deliveries);
    const { body: list } = await admin.get(`${own}/deliveries`).expect(200);
    const delivery = `${own}/deliveries/${list.deliveries[0].id}`;
    await get(delivery, `${deliveries}/{deliveryId}`);
    await change('post', `${delivery}/redeliver`, {}, `${deliveries}/{deliveryId}/redeliver`);
    const since = { since: '2026-01-01T00:00:00Z' };
    await change('post', `${own}/deliveries/redeliver`, since, `${deliveries}/redeliver`);
    await remove(own, `${webhooks}/{webhookId}`);
    await remove(`/visitors/${visitorId}`);
    await get(`/visitors/${visitorId}`);
  });
});
