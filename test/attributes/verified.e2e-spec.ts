import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('verified attributes', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { events: ['visitor.updated', 'chat.closed'] }).expect(200);
  });

  const identify = async (claims: object, body: object = {}) =>
    parley.beginSession(tenant, { identity: await signIdentity(tenant, { sub: 'vera', ...claims }), ...body });
  const idOf = async (claims: object) => (await (await identify(claims)).body.visitor.id) as string;
  const read = async (id: string) => (await tenant.admin.get(`/visitors/${id}`).expect(200)).body;
  const events = async () => (await tenant.bot.get('/events?wait=0').expect(200)).body.events;

  it('come with a signed identity, are replaced as a whole, and stay without attributes', async () => {
    const id = await idOf({ attributes: { plan: 'gold', seats: 5, isVip: true } });
    expect((await read(id)).verifiedAttributes).toEqual({ plan: 'gold', seats: 5, isVip: true });
    await identify({ name: 'Vera' });
    expect(await read(id)).toMatchObject({ name: 'Vera', verifiedAttributes: { plan: 'gold', seats: 5, isVip: true } });
    await identify({ attributes: { plan: 'silver' } });
    expect((await read(id)).verifiedAttributes).toEqual({ plan: 'silver' });
    await identify({ attributes: {} });
    expect(await read(id)).toMatchObject({ verifiedAttributes: {}, attributes: {} });
  });

  it('identities, bots, and pages never overwrite what the others set', async () => {
    const id = await idOf({ attributes: { plan: 'gold' } });
    await tenant.bot.patch(`/visitors/${id}`, { attributes: { plan: 'silver' } }).expect(200);
    expect(await read(id)).toMatchObject({ verifiedAttributes: { plan: 'gold' }, attributes: { plan: 'silver' } });
    await identify({ attributes: { plan: 'bronze' } }, { visitor: { metadata: { plan: 'typed' } } });
    expect(await read(id)).toMatchObject({
      verifiedAttributes: { plan: 'bronze' },
      attributes: { plan: 'silver' },
      metadata: { plan: 'typed' },
    });
  });

  it('cause visitor.updated by the visitor, and raise rev, only when they change and the visitor is known', async () => {
    const { body } = await identify({ attributes: { plan: 'gold', seats: 5 } });
    const { id } = body.visitor;
    const visitor = parley.visitor(body.token);
    const chat = `/chats/${(await visitor.post('/chats', {}).expect(201)).body.chat.id}`;
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const rev = async () => (await ada.client.get(chat).expect(200)).body.rev as number;
    const before = await rev();
    await identify({ attributes: { seats: 5, plan: 'gold' } });
    await identify({});
    await identify({ attributes: { plan: 'silver' } });
    expect(await rev()).toBe(before + 1);
    await identify({ attributes: { plan: 'silver' } });
    expect(await events()).toMatchObject([
      {
        type: 'visitor.updated',
        data: {
          visitor: { id, externalId: 'vera', verifiedAttributes: { plan: 'silver' } },
          changed: {},
          changedVerified: { plan: 'silver', seats: null },
          by: { type: 'VISITOR', id, name: null },
        },
      },
    ]);
    expect((await tenant.bot.get(chat).expect(200)).body.visitor.verifiedAttributes).toEqual({ plan: 'silver' });
    expect((await ada.client.get(chat).expect(200)).body.visitor.verifiedAttributes).toEqual({ plan: 'silver' });
    expect((await visitor.get('/chats').expect(200)).text).not.toMatch(/silver|ttributes/);
  });

  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1]));
  it.each<[name: string, attributes: unknown]>([
    ['null', null],
    ['null in them', { plan: null }],
    ['a list', ['a']],
    ['an object in them', { plan: {} }],
    ['a long text', { plan: 'x'.repeat(501) }],
    ['U+0000', { plan: '\u0000' }],
    ['a blank in a key', { 'a b': 1 }],
    ['51 keys', many],
  ])('invalid ones are answered 400, and nothing is stored: %s', async (_, attributes) => {
    const id = await idOf({ attributes: { plan: 'gold' } });
    const { status, body } = await identify({ name: 'Eve', attributes });
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'validation_failed', '/identity']);
    expect(await read(id)).toMatchObject({ name: null, verifiedAttributes: { plan: 'gold' } });
  });

  it('integers that lose digits are answered 400', async () => {
    const expires = Math.floor(Date.now() / 1000) + 3_600;
    const key = new TextEncoder().encode(tenant.identitySecret);
    const signed = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(key);
    const payload = `{"sub":"vera","exp":${expires},"attributes":{"id":12345678901234567891}}`;
    const data = `${signed.split('.')[0]}.${Buffer.from(payload).toString('base64url')}`;
    const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const signature = Buffer.from(await crypto.subtle.sign('HMAC', hmac, Buffer.from(data))).toString('base64url');
    const { body } = await parley.beginSession(tenant, { identity: `${data}.${signature}` }).expect(400);
    expect(body.errors[0]).toMatchObject({ pointer: '/identity', detail: expect.stringContaining('digits') });
  });

  it('an identity that is not signed sets none', async () => {
    const identity = await signIdentity(
      { identitySecret: 'x'.repeat(40) },
      { sub: 'vera', attributes: { plan: 'gold' } },
    );
    await parley.beginSession(tenant, { identity }).expect(401);
    expect((await tenant.admin.get('/visitors?externalId=vera').expect(200)).body.visitors).toEqual([]);
  });

  it('devices that identify at the same time agree', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => idOf({ attributes: { plan: 'gold' } })));
    expect(new Set(all).size).toBe(1);
    expect((await read(all[0]!)).verifiedAttributes).toEqual({ plan: 'gold' });
    expect(await events()).toEqual([]);
  });

  it('with merge, chats keep their attributes, and the anonymous visitor’s attributes are not taken over', async () => {
    const { body: anonymous } = await parley.beginSession(tenant).expect(201);
    const visitor = parley.visitor(anonymous.token);
    const { id } = (await visitor.post('/chats', {}).expect(201)).body.chat;
    await tenant.bot.patch(`/chats/${id}`, { attributes: { order: '4711' } }).expect(200);
    await tenant.bot.patch(`/visitors/${anonymous.visitor.id}`, { attributes: { plan: 'guess' } }).expect(200);
    const identity = await signIdentity(tenant, { sub: 'vera', attributes: { plan: 'gold' } });
    const { body } = await parley.beginSession(tenant, { identity, merge: true }, anonymous.token).expect(201);
    const chat = (await tenant.bot.get(`/chats/${id}`).expect(200)).body;
    expect(chat).toMatchObject({
      attributes: { order: '4711' },
      visitor: { id: body.visitor.id, attributes: {}, verifiedAttributes: { plan: 'gold' } },
    });
    expect((await read(anonymous.visitor.id)).attributes).toEqual({});
    // The event is of the other person now, and erased with them.
    expect([202, 204]).toContain((await tenant.admin.delete(`/visitors/${body.visitor.id}`)).status);
    await parley.untilRow(
      `SELECT FROM audit_entries WHERE action = 'visitor.erased' AND target = '${body.visitor.id}'`,
    );
    expect(await parley.query(`SELECT id FROM deliveries WHERE payload LIKE '%guess%'`)).toEqual([]);
  });
});
