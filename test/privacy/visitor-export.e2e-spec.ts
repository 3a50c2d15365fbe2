import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from 'node:http';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { fillChat, upTo } from '../support/traces.js';

describe("an organization's visitors", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const begin = async (sub: string, claims: object, metadata?: object) => {
    const identity = await signIdentity(tenant, { ...claims, sub });
    return (await parley.beginSession(tenant, { identity, visitor: { metadata } }).expect(201)).body;
  };
  const list = async (query = '') => (await tenant.admin.get(`/visitors${query}`).expect(200)).body;

  it('visitors are listed, and found by email in any spelling, by external id, or both', async () => {
    const ann = await begin('user/1', { name: 'Ann', email: 'Ann@Example.com' }, { plan: 'pro', n: [1, { a: null }] });
    const bob = await begin('user/2', { name: 'Bob', email: 'bob@example.com' });
    const { body: twin } = await parley.beginSession(tenant, { visitor: { email: 'ann@example.com' } }).expect(201);
    const expected = {
      id: ann.visitor.id,
      externalId: 'user/1',
      name: 'Ann',
      email: 'Ann@Example.com',
      isVerified: true,
      mailStatus: 'ACTIVE',
      metadata: { plan: 'pro', n: [1, { a: null }] },
      attributes: {},
      verifiedAttributes: {},
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(await list('?externalId=user/1')).toEqual({ visitors: [expected], nextCursor: null });
    const { visitors } = await list('?email=ANN@example.com');
    expect(visitors.map(({ id }: any) => id)).toEqual([ann.visitor.id, twin.visitor.id]);
    expect((await list('?email=ann@example.com&externalId=user/2')).visitors).toEqual([]);
    expect((await tenant.admin.get(`/visitors/${ann.visitor.id}`).expect(200)).body).toEqual(expected);
    const ids: string[] = [];
    for (let path = '?limit=1'; path;) {
      const page = await list(path);
      ids.push(...page.visitors.map(({ id }: any) => id));
      path = page.nextCursor ? `?limit=1&cursor=${page.nextCursor}` : '';
    }
    expect(ids).toEqual([tenant.visitorId, ann.visitor.id, bob.visitor.id, twin.visitor.id]);
    await tenant.admin.get('/visitors?cursor=none').expect(400);
    await tenant.admin.get('/visitors?email=').expect(400);
    const stranger = await parley.createTenant();
    expect((await stranger.admin.get('/visitors?email=ann@example.com').expect(200)).body.visitors).toEqual([]);
  });

  it('an export has all data of a visitor: profile, chats, and every message in order', async () => {
    const { token, visitor } = await begin('user/3', { name: 'Cy' }, { tier: 1 });
    const person = parley.visitor(token);
    const { body: first } = await person.post('/chats', { metadata: { page: '/a' } }).expect(201);
    await person.post(`/chats/${first.chat.id}/messages`, { content: 'one "quoted" ' }).expect(201);
    await tenant.bot.post('/messages', { chatId: first.chat.id, content: 'two', metadata: { a: [1] } }).expect(200);
    await person.post(`/chats/${first.chat.id}/read`, { seq: 1 }).expect(200);
    await tenant.admin.patch(`/chats/${first.chat.id}`, { status: 'CLOSED' }).expect(200);
    const { body: second } = await person.post('/chats', {}).expect(201);
    await fillChat(parley, tenant.id, second.chat.id, 1_001);

    const { body, type } = await tenant.admin.get(`/visitors/${visitor.id}/export`).expect(200);
    expect(type).toBe('application/json');
    expect(body.visitor).toEqual((await tenant.admin.get(`/visitors/${visitor.id}`)).body);
    const { body: page } = await person.get(`/chats/${first.chat.id}/messages`).expect(200);
    expect(body.chats).toHaveLength(2);
    expect(body.chats[0]).toMatchObject({
      id: first.chat.id,
      status: 'CLOSED',
      metadata: { page: '/a' },
      read: { visitor: 1, organization: 0 },
    });
    expect(body.chats[0].messages).toEqual(page.messages);
    expect(body.chats[1].messages.map(({ seq }: any) => seq)).toEqual(upTo(1_001));
  });

  it('a visitor without messages has an export too, and strangers have none', async () => {
    const { visitor } = await begin('user/4', { name: 'Di' });
    const { body } = await tenant.admin.get(`/visitors/${visitor.id}/export`).expect(200);
    expect(body).toMatchObject({ visitor: { name: 'Di' }, chats: [] });
    const stranger = await parley.createTenant();
    await stranger.admin.get(`/visitors/${visitor.id}/export`).expect(404);
    await stranger.admin.delete(`/visitors/${visitor.id}`).expect(404);
    await tenant.admin.get(`/visitors/${visitor.id}`).expect(200);
  });

  it('an export is as fast as its reader, and a reader who disconnects harms no one', async () => {
    const { token, visitor } = await begin('user/5', { name: 'Ed' });
    const { body: opened } = await parley.visitor(token).post('/chats', {}).expect(201);
    await fillChat(parley, tenant.id, opened.chat.id, 20_000);
    await new Promise<void>((resolve, reject) => {
      const url = `${parley.url}/api/admin/organizations/${tenant.id}/visitors/${visitor.id}/export`;
      get(url, { headers: { Authorization: 'Bearer test-admin-token' } }, (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
      }).once('error', reject);
    });
    const { body } = await tenant.admin.get(`/visitors/${visitor.id}/export`).expect(200);
    expect(body.chats[0].messages).toHaveLength(20_000);
  });
});
