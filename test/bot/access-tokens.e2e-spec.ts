import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createHash } from 'node:crypto';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('access tokens', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const create = async (body: object = {}) =>
    (await tenant.admin.post(`/bots/${tenant.botId}/tokens`, body).expect(201)).body;
  const groups = (token: string) => parley.bot(token).get('/groups');

  it('an access token is shown once and stored as a hash', async () => {
    const made = await create({ name: 'CI', expiresAt: null });
    expect(made).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'CI',
      scopes: null,
      token: expect.stringMatching(/^prl_pat_[A-Za-z0-9]{38}$/),
      lastFour: made.token.slice(-4),
      expiresAt: null,
      createdAt: expect.any(String),
      lastUsedAt: null,
    });
    const { body } = await tenant.admin.get(`/bots/${tenant.botId}/tokens/${made.id}`).expect(200);
    expect(body).toEqual({ ...made, token: undefined });
    const [row] = await parley.query<{ text: string; hash: string }>(
      `SELECT access_tokens::text AS text, encode(token_hash, 'hex') AS hash FROM access_tokens WHERE id = $1`,
      [made.id],
    );
    expect(row!.text).not.toContain(made.token);
    expect(row!.hash).toBe(createHash('sha256').update(made.token).digest('hex'));
  });

  it.each([
    ['none', undefined],
    ['another scheme', 'Basic abc'],
    ['no token', 'Bearer'],
    ['an empty one', 'Bearer '],
    ['nonsense', 'Bearer nonsense'],
    ['two', 'Bearer a b'],
    ['one of the right form that was never made', `Bearer prl_pat_${'a'.repeat(32)}4fLeh2`],
  ])('an access token answers 401 for %s', async (_name, header) => {
    const asked = request(parley.url).get('/api/bot/groups');
    const { status, headers, body } = await (header ? asked.set('Authorization', header) : asked);
    expect([status, headers['www-authenticate'], body.code]).toEqual([401, 'Bearer', 'unauthorized']);
  });

  it('an access token with a wrong checksum is rejected', async () => {
    const last = tenant.token.at(-1) === 'a' ? 'b' : 'a';
    await groups(tenant.token.slice(0, -1) + last).expect(401);
    await groups(tenant.token).expect(200);
  });

  it('an access token stops working when it expires', async () => {
    let token = '';
    // Milliseconds left to use the token. A busy machine needs more.
    for (let time = 1_000, status = 401; status !== 200; time *= 2) {
      const expiresAt = new Date(Date.now() + time).toISOString();
      const made = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, { expiresAt });
      if (made.status !== 201) continue;
      ({ token } = made.body);
      ({ status } = await groups(token));
    }
    await until('it is refused', async () => (await groups(token)).status === 401);
  });

  it.each(['yesterday', '2020-01-01T00:00:00Z', 5, '2030-02-30T00:00:00Z', '2030-13-01T00:00:00Z'])(
    "an access token can't expire at %s",
    async (expiresAt) => {
      const { body } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, { expiresAt }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/expiresAt' }]);
    },
  );

  it('a revoked access token is rejected on every node once the revoking call has returned', async () => {
    const other = await Parley.start({}, parley.databaseUrl);
    for (let round = 0; round < 10; round++) {
      const { id, token } = await create();
      await groups(token).expect(200);
      await other.bot(token).get('/groups').expect(200);
      await tenant.admin.delete(`/bots/${tenant.botId}/tokens/${id}`).expect(204);
      await other.bot(token).get('/groups').expect(401);
      await groups(token).expect(401);
      await tenant.admin.delete(`/bots/${tenant.botId}/tokens/${id}`).expect(404);
    }
    await other.stop();
  });

  it('access tokens are deleted with their bot and with their organization', async () => {
    const doomed = await parley.createTenant();
    const { body: second } = await doomed.admin.post('/bots', { name: 'Second' }).expect(201);
    const { body: token } = await doomed.admin.post(`/bots/${second.id}/tokens`, {}).expect(201);
    await doomed.admin.delete(`/bots/${second.id}`).expect(204);
    await groups(token.token).expect(401);
    await groups(doomed.token).expect(200);
    await parley.admin.delete(`/${doomed.id}`).expect(204);
    await groups(doomed.token).expect(401);
  });

  it('an access token shows when it was last used, with a delay', async () => {
    const { id, token } = await create();
    const before = Date.now();
    await groups(token).expect(200);
    const lastUsedAt = async () =>
      (await tenant.admin.get(`/bots/${tenant.botId}/tokens/${id}`).expect(200)).body.lastUsedAt as string | null;
    expect(Date.parse((await eventually(lastUsedAt, Boolean))!)).toBeGreaterThanOrEqual(before);
  });

  it('an access token has a rate limit per second', async () => {
    const limited = await Parley.start({ BOT_RATE_LIMIT: '5' }, parley.databaseUrl);
    // In more than 1.5 s, they'd have more than two windows of the limit.
    const { answers } = await eventually(
      async () => {
        const begun = performance.now();
        const all = await Promise.all(Array.from({ length: 20 }, () => limited.bot(tenant.token).get('/groups')));
        return { answers: all, took: performance.now() - begun };
      },
      ({ took }) => took < 1_500,
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused[0]!.body.code).toBe('rate_limited');
    expect(refused[0]!.headers['retry-after']).toBe('1');
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    await limited.stop();
  });
});
