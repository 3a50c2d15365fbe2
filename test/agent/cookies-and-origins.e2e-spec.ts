import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type Tenant } from '../support/parley.js';

const EVIL = 'https://evil.example';

describe('session cookies', () => {
  let parley: Parley;
  let behindProxy: Parley;
  let tenant: Tenant;
  let agentId: string;

  beforeAll(async () => {
    parley = await Parley.start({ PUBLIC_URL: 'http://console.example' });
    behindProxy = await Parley.start({ TRUST_PROXY: 'loopback' }, parley.databaseUrl);
    tenant = await parley.createTenant();
    agentId = (await parley.signInAgent(tenant, { role: 'ADMIN' })).id;
  });
  afterAll(async () => {
    await behindProxy.stop();
    await parley.stop();
  });

  const signIn = async (headers: Record<string, string> = {}, service = parley) => {
    const token = await parley.mintLink(tenant, agentId);
    return request(`${service.url}/api/agent`).post('/session/link').set(headers).send({ token });
  };
  const cookieOf = async () => (await signIn()).headers['set-cookie']![0]!.split(';')[0]!;
  const own = () => new URL(parley.url).origin;

  it('signing in sets a cookie by default, without a token in the response', async () => {
    const { status, headers, body } = await signIn();
    expect(status).toBe(201);
    expect(body.token).toBeUndefined();
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^parley=prl_ags_\w{38}; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
  });

  it('the cookie has the https prefix and attribute behind a proxy that terminates TLS', async () => {
    const { headers } = await signIn({ 'X-Forwarded-Proto': 'https' }, behindProxy);
    const [cookie] = headers['set-cookie']!;
    expect(cookie).toMatch(
      /^__Host-parley=prl_ags_\w{38}; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    // A sibling domain can set a cookie of any other name.
    const get = (name: string, proto: string) =>
      request(behindProxy.url)
        .get('/api/agent/session')
        .set({ Cookie: `a=b; ${name}=${cookie!.split(/[=;]/)[1]}; c=d`, 'X-Forwarded-Proto': proto });
    await get('__Host-parley', 'https').expect(200);
    await get('parley', 'https').expect(401);
    await get('parley', 'http').expect(200);
    await get('__Host-parley', 'http').expect(401);
  });

  it('a cookie received over https needs an https origin, unless the browser vouches for the origin', async () => {
    const { headers } = await signIn({ 'X-Forwarded-Proto': 'https' }, behindProxy);
    const cookie = headers['set-cookie']![0]!.split(';')[0]!;
    const { host } = new URL(behindProxy.url);
    const change = (given: Record<string, string>) =>
      request(behindProxy.url)
        .delete('/api/agent/sessions/ses_none')
        .set({ Cookie: cookie, 'X-Forwarded-Proto': 'https', ...given });
    await change({ Origin: `https://${host}` }).expect(404);
    await change({ Origin: `http://${host}` }).expect(403);
    // A browser that speaks https to a proxy on this machine, for example through a tunnel.
    await change({ Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }).expect(404);
    const from = { 'X-Forwarded-Proto': 'https', Origin: `http://${host}` };
    expect((await signIn(from, behindProxy)).status).toBe(403);
  });

  it('responses over https have Strict-Transport-Security', async () => {
    const { headers } = await request(behindProxy.url).get('/console/').set('X-Forwarded-Proto', 'https').expect(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const plain = await request(behindProxy.url).get('/console/').expect(200);
    expect(plain.headers['strict-transport-security']).toBeUndefined();
  });

  it('ending the session removes the cookie', async () => {
    const cookie = await cookieOf();
    const { headers } = await request(parley.url)
      .delete('/api/agent/session')
      .set({ Cookie: cookie, Origin: own() })
      .expect(204);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^parley=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=\//),
    ]);
  });

  it.each([
    ['neither header', {}, 201],
    ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin' }, 201],
    ['the origin of PUBLIC_URL', { Origin: 'http://console.example' }, 201],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['Sec-Fetch-Site: none', { 'Sec-Fetch-Site': 'none' }, 403],
    ['a foreign origin', { Origin: EVIL }, 403],
    ['the origin null', { Origin: 'null' }, 403],
    ['an origin that is none', { Origin: 'nonsense' }, 403],
    ['PUBLIC_URL with a user name', { Origin: 'http://evil.test@console.example' }, 403],
    ['PUBLIC_URL with a path', { Origin: 'http://console.example/' }, 403],
    ['PUBLIC_URL with another scheme', { Origin: 'https://console.example' }, 403],
    ['one good and one bad', { 'Sec-Fetch-Site': 'same-origin', Origin: EVIL }, 403],
    ['one bad and one good', { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://console.example' }, 403],
  ])('the cookie is set for %s: %p is %d', async (_title, headers, expected) => {
    const { status, headers: answered } = await signIn(headers);
    expect([status, answered['set-cookie'] === undefined]).toEqual([expected, expected === 403]);
  });

  it("a request that asks for a token ignores the cookie's rules", async () => {
    const token = await parley.mintLink(tenant, agentId);
    const asked = request(parley.url).post('/api/agent/session/link').set({ Origin: EVIL });
    await asked.send({ token, mode: 'token' }).expect(201);
  });

  describe('a request with the cookie', () => {
    let cookie: string;

    beforeAll(async () => {
      cookie = await cookieOf();
    });

    // Ends a session that doesn't exist: 404 when the request is accepted.
    const change = (headers: object) =>
      request(parley.url)
        .delete('/api/agent/sessions/ses_none')
        .set({ Cookie: cookie, ...headers });

    it.each([
      ['neither header', {}, 403],
      ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin' }, 404],
      ['the origin of PUBLIC_URL', { Origin: 'http://console.example' }, 404],
      ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
      ['Sec-Fetch-Site: none', { 'Sec-Fetch-Site': 'none' }, 403],
      ['a foreign origin', { Origin: EVIL }, 403],
      ['the origin null', { Origin: 'null' }, 403],
      ['one good and one bad', { 'Sec-Fetch-Site': 'same-origin', Origin: EVIL }, 403],
    ])('the cookie is accepted with %s: %p is %d', async (_title, headers, expected) => {
      expect((await change(headers)).status).toBe(expected);
    });

    it('the cookie is accepted when the origin has the requested host', async () => {
      await change({ Origin: own() }).expect(404);
    });

    it('an origin with a user name, a path, or https on an http service is not our own', async () => {
      const { host } = new URL(own());
      for (const Origin of [`http://evil.test@${host}`, `http://a:b@${host}`, `http://${host}/`, `http://${host}/a`])
        for (const more of [{}, { 'Sec-Fetch-Site': 'same-origin' }]) await change({ Origin, ...more }).expect(403);
      for (const scheme of ['https', 'ftp', 'ws', 'evil']) await change({ Origin: `${scheme}://${host}` }).expect(403);
      // A browser that speaks https to a proxy that doesn't say so.
      await change({ Origin: `https://${host}`, 'Sec-Fetch-Site': 'same-origin' }).expect(404);
    });

    it('the cookie is accepted for reading without an origin, and a bearer token takes precedence', async () => {
      await request(parley.url).get('/api/agent/session').set('Cookie', cookie).set('Origin', EVIL).expect(200);
      const { token } = await parley.signInAgain(tenant, agentId);
      await change({ Authorization: `Bearer ${token}`, Origin: EVIL }).expect(404);
      await change({ Authorization: 'Bearer wrong', Origin: own() }).expect(401);
    });

    it('the admin API applies the same cookie rules', async () => {
      const url = `/api/admin/organizations/${tenant.id}`;
      const get = request(parley.url).get(url).set('Cookie', cookie);
      await get.expect(200);
      const patch = (headers: object) =>
        request(parley.url)
          .patch(url)
          .set({ Cookie: cookie, ...headers })
          .send({ name: 'Other' });
      await patch({}).expect(403);
      await patch({ Origin: EVIL }).expect(403);
      await patch({ Origin: own() }).expect(200);
    });

    it('a page of another origin never gets access', async () => {
      for (const path of ['/api/agent/session', `/api/admin/organizations/${tenant.id}`]) {
        for (const method of ['get', 'options'] as const) {
          const { headers } = await request(parley.url)
            [method](path)
            .set({ Cookie: cookie, Origin: EVIL, 'Access-Control-Request-Method': 'POST' });
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
      }
    });
  });
});
