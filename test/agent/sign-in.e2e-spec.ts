import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordCost } from '../../src/auth/sign-in/password-hash.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const PASSWORD = 'correct horse battery';

describe('signing in', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const newAgent = async (fields: object = {}) => {
    const email = `${Math.random().toString(36).slice(2)}@Example.com`;
    return (await tenant.admin.post('/agents', { name: 'Ada', email, ...fields }).expect(201)).body;
  };
  const signIn = (body: object) => parley.agent().post('/session', { mode: 'token', ...body });
  const useLink = (body: object) => parley.agent().post('/session/link', { mode: 'token', ...body });
  const hashes = async () => Number((await Scrape.of(parley.url)).value('parley_password_hashes_total', {}));
  const hashesOf = async (work: () => PromiseLike<unknown>) => {
    const before = await hashes();
    await work();
    return (await hashes()) - before;
  };

  describe('with a link', () => {
    it('a link starts a session once, and returns who is signed in', async () => {
      const agent = await newAgent({ capacity: 3, role: 'SUPERVISOR' });
      const { body: link } = await tenant.admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
      expect(link).toEqual({
        id: expect.stringMatching(/^lnk_/),
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/link#prl_lnk_[A-Za-z0-9]{38}$/),
        expiresAt: expect.any(String),
      });
      expect(Math.round((Date.parse(link.expiresAt) - Date.now()) / 3_600_000)).toBe(72);
      const token = new URL(link.url).hash.slice(1);
      const { body } = await useLink({ token }).expect(201);
      const profile = {
        agent: {
          id: agent.id,
          name: 'Ada',
          email: agent.email,
          role: 'SUPERVISOR',
          capacity: 3,
          avatarUrl: null,
          groups: [],
          isAccepting: true,
          presence: 'OFFLINE',
          pauseReason: null,
          hasPassword: false,
          mailWhenAway: null,
        },
        organization: { id: tenant.id, name: 'Acme' },
        expiresAt: expect.any(String),
      };
      expect(body).toEqual({ ...profile, token: expect.stringMatching(/^prl_ags_[A-Za-z0-9]{38}$/) });
      expect((await parley.agent(body.token).get('/session').expect(200)).body).toEqual(profile);
      expect((await useLink({ token }).expect(401)).body.code).toBe('unauthorized');
    });

    it('a link has the origin of PUBLIC_URL', async () => {
      const service = await Parley.start({ PUBLIC_URL: 'https://chat.example/base/' }, parley.databaseUrl);
      const { id } = await newAgent();
      const { body } = await service.admin.post(`/${tenant.id}/agents/${id}/sign-in-links`, {}).expect(201);
      expect(body.url).toMatch(/^https:\/\/chat\.example\/base\/console\/link#prl_lnk_/);
      await service.stop();
    });

    it('one of two simultaneous requests with one link signs in', async () => {
      const token = await parley.mintLink(tenant, (await newAgent()).id);
      const answers = await Promise.all(Array.from({ length: 6 }, () => useLink({ token })));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401, 401, 401, 401]);
    });

    it("a link ends when a newer one is created, when it's revoked, and after 72 hours", async () => {
      const { id } = await newAgent();
      const older = await parley.mintLink(tenant, id);
      const { body: link } = await tenant.admin.post(`/agents/${id}/sign-in-links`, {}).expect(201);
      await useLink({ token: older }).expect(401);
      await tenant.admin.delete(`/agents/${id}/sign-in-links/${link.id}`).expect(204);
      await tenant.admin.delete(`/agents/${id}/sign-in-links/${link.id}`).expect(404);
      await useLink({ token: new URL(link.url).hash.slice(1) }).expect(401);
      const expired = await parley.mintLink(tenant, id);
      await parley.query(`UPDATE sign_in_links SET expires_at = now() WHERE agent_id = $1`, [id]);
      await useLink({ token: expired }).expect(401);
    });

    it('whom a link signs in can be read with the link alone, which stays usable', async () => {
      const { id, name, email } = await newAgent();
      const read = (token: string) => parley.agent().post('/session/link/agent', { token });
      const token = await parley.mintLink(tenant, id);
      const organization = { id: tenant.id, name: 'Acme' };
      expect((await read(token).expect(200)).body).toEqual({ name, email, organization });
      await useLink({ token }).expect(201);
      for (const wrong of [token, 'no link', 'prl_lnk_unknown'])
        expect((await read(wrong).expect(401)).body.code).toBe('unauthorized');
      const later = await parley.mintLink(tenant, id);
      await tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200);
      await read(later).expect(401);
    });

    it('a link works for enabled agents only', async () => {
      const { id } = await newAgent();
      await tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200);
      const token = await parley.mintLink(tenant, id);
      await useLink({ token }).expect(401);
      await tenant.admin.patch(`/agents/${id}`, { isEnabled: true }).expect(200);
      await useLink({ token }).expect(201);
    });

    it.each([
      ['deletes', (id: string) => tenant.admin.delete(`/agents/${id}`).expect(204)],
      ['disables', (id: string) => tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200)],
      [
        'gives another address',
        (id: string) => tenant.admin.patch(`/agents/${id}`, { email: `${id}@example.com` }).expect(200),
      ],
    ])('a link ends when an administrator %s the agent', async (_title, change) => {
      const { id } = await newAgent();
      const token = await parley.mintLink(tenant, id);
      await change(id);
      await useLink({ token }).expect(401);
      expect(await parley.query('SELECT FROM sign_in_links WHERE agent_id = $1', [id])).toEqual([]);
    });

    it('a link sets a password, and only then ends the other sessions', async () => {
      const { id, email } = await newAgent();
      const first = await parley.signInAgain(tenant, id);
      const second = await parley.signInAgain(tenant, id);
      await first.client.get('/session').expect(200);
      const token = await parley.mintLink(tenant, id);
      const { body } = await useLink({ token, password: PASSWORD }).expect(201);
      expect(body.agent.hasPassword).toBe(true);
      await parley.agent(body.token).get('/session').expect(200);
      for (const { client } of [first, second]) await client.get('/session').expect(401);
      await signIn({ email, password: PASSWORD }).expect(201);
    });

    it.each([
      ['too short', 'x'.repeat(11)],
      ['too long', 'x'.repeat(257)],
      ['no text', 123456789012],
      ['no text that can be stored', `${'x'.repeat(12)}\u0000`],
    ])('a link can be used again after a password that is %s', async (_title, password) => {
      const token = await parley.mintLink(tenant, (await newAgent()).id);
      const { body } = await useLink({ token, password }).expect(400);
      expect(body.errors[0].pointer).toBe('/password');
      await useLink({ token, password: 'x'.repeat(12) }).expect(201);
    });
  });

  describe('with a password', () => {
    it('a password starts a session with any spelling of the email', async () => {
      const { email, id } = await parley.signInAgent(tenant, { password: PASSWORD });
      const { body } = await signIn({ email: email.toUpperCase(), password: PASSWORD }).expect(201);
      expect(body).toMatchObject({ agent: { id, hasPassword: true }, organization: { id: tenant.id } });
      await parley.agent(body.token).get('/session').expect(200);
    });

    it('a password is accepted in any Unicode normalization', async () => {
      const { email } = await parley.signInAgent(tenant, { password: 'f\u00fcnf gro\u00dfe W\u00f6rter' });
      await signIn({ email, password: 'fu\u0308nf gro\u00dfe Wo\u0308rter' }).expect(201);
    });

    it('every failed attempt gets the same response and costs the same number of hashes', async () => {
      const [known, disabled] = [
        await parley.signInAgent(tenant, { password: PASSWORD }),
        await parley.signInAgent(tenant, { password: PASSWORD }),
      ];
      await tenant.admin.patch(`/agents/${disabled.id}`, { isEnabled: false }).expect(200);
      const without = await newAgent();
      const attempts = [
        { email: 'unknown@example.com', password: PASSWORD },
        { email: known.email, password: 'wrong' },
        { email: disabled.email, password: PASSWORD },
        { email: without.email, password: PASSWORD },
        { email: 'a\u0000\ud800', password: PASSWORD },
        { email: known.email, password: '\u0000' },
        { email: known.email, password: PASSWORD, organizationId: "'; --" },
      ];
      for (const attempt of attempts) {
        const spent = await hashesOf(async () => {
          const { body } = await signIn(attempt).set('X-Request-Id', 'same').expect(401);
          expect(body).toEqual({
            type: '/docs/errors#unauthorized',
            title: 'Not authenticated',
            status: 401,
            code: 'unauthorized',
            detail: 'Wrong email address or password',
            requestId: 'same',
          });
        });
        expect([attempt, spent]).toEqual([attempt, 1]);
      }
    });

    it.each([
      ['email', { email: '' }],
      ['email', { email: 'x'.repeat(321) }],
      ['email', { email: 5 }],
      ['password', { password: '' }],
      ['password', { password: 'x'.repeat(257) }],
      ['password', { password: ['x'] }],
      ['organizationId', { organizationId: {} }],
      ['mode', { mode: 'other' }],
    ])('a wrong %s is answered 400', async (field, wrong) => {
      const { body } = await signIn({ email: 'a@example.com', password: 'x', ...wrong }).expect(400);
      expect(body.errors).toEqual([{ pointer: `/${field}`, detail: expect.any(String) }]);
    });

    it('a hash with old parameters is replaced', async () => {
      const { email, id } = await parley.signInAgent(tenant, { password: PASSWORD });
      // N = 1024 for the same password.
      const old = '$scrypt$ln=10,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$fXnS5Awj6eMC+z1SbPBpyxEKbW7GHGyuCeVjw7IJSMI';
      await parley.query('UPDATE agents SET password_hash = $2 WHERE id = $1', [id, old]);
      Object.assign(parley.app.get(PasswordCost), new PasswordCost());
      await signIn({ email, password: PASSWORD }).expect(201);
      const [row] = await parley.query<{ hash: string }>('SELECT password_hash AS hash FROM agents WHERE id = $1', [
        id,
      ]);
      expect(row!.hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      await signIn({ email, password: PASSWORD }).expect(201);
    });
  });
});
