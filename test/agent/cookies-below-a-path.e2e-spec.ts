import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type NewAgent, Parley, type Tenant } from '../support/parley.js';

const ORIGIN = 'https://shop.example';

describe('session cookies of two Parleys below paths of one host', () => {
  const parleys: Parley[] = [];
  const tenants: Tenant[] = [];
  /** One path contains the other. */
  const PATHS = ['/a', '/a/b'];

  beforeAll(async () => {
    for (const path of PATHS) {
      const parley = await Parley.start({ PUBLIC_URL: ORIGIN + path });
      parleys.push(parley);
      tenants.push(await parley.createTenant());
    }
  });
  afterAll(() => Promise.all(parleys.map((parley) => parley.stop())));

  const signIn = async (at: number, fields: NewAgent = {}, headers: Record<string, string> = {}) => {
    const [parley, tenant] = [parleys[at]!, tenants[at]!];
    const { id } = await parley.signInAgent(tenant, fields);
    const token = await parley.mintLink(tenant, id);
    const response = await request(parley.url).post(`${PATHS[at]}/api/agent/session/link`).set(headers).send({ token });
    return { id, response, cookie: response.headers['set-cookie']?.[0] ?? '' };
  };
  const pairOf = (cookie: string) => cookie.split(';')[0]!;

  it('the name and the path of a cookie have the path of PUBLIC_URL', async () => {
    const rest = 'Expires=[^;]+ GMT';
    expect((await signIn(0)).cookie).toMatch(
      new RegExp(`^__Secure-parley\\+a=prl_ags_\\w{38}; ${rest}; Path=/a/; HttpOnly; SameSite=Strict; Secure$`),
    );
    expect((await signIn(1)).cookie).toMatch(
      new RegExp(`^__Secure-parley\\+a\\+b=prl_ags_\\w{38}; ${rest}; Path=/a/b/; HttpOnly; SameSite=Strict; Secure$`),
    );
  });

  it('each reads its own cookie if a browser sends both', async () => {
    const [outer, inner] = [await signIn(0), await signIn(1)];
    const both = [outer, inner].map(({ cookie }) => pairOf(cookie)).join('; ');
    for (const [at, { id }] of [outer, inner].entries()) {
      const { body } = await request(parleys[at]!.url).get('/api/agent/session').set('Cookie', both).expect(200);
      expect(body.agent.id).toBe(id);
    }
    // A host of its own has another name.
    const bare = pairOf(outer.cookie).replace('__Secure-parley+a', '__Host-parley');
    await request(parleys[0]!.url).get('/api/agent/session').set('Cookie', bare).expect(401);
  });

  it('signing out removes the cookie that signing in has set', async () => {
    const { cookie } = await signIn(0);
    const { headers } = await request(parleys[0]!.url)
      .delete('/a/api/agent/session')
      .set({ Cookie: pairOf(cookie), Origin: ORIGIN })
      .expect(204);
    expect(headers['set-cookie']).toEqual([
      '__Secure-parley+a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/a/; HttpOnly; SameSite=Strict; Secure',
    ]);
  });

  it('over plain http, the cookie has the path too', async () => {
    const parley = await Parley.start({ PUBLIC_URL: 'http://shop.example/a/b' }, parleys[1]!.databaseUrl);
    const token = await parleys[1]!.mintLink(tenants[1]!, (await signIn(1)).id);
    const { headers } = await request(parley.url).post('/api/agent/session/link').send({ token }).expect(201);
    expect(headers['set-cookie']![0]).toMatch(
      /^parley\+a\+b=prl_ags_\w{38}; [^;]+; Path=\/a\/b\/; HttpOnly; SameSite=Strict$/,
    );
    await parley.stop();
  });

  it('a cookie changes something only from pages of the origin', async () => {
    const { cookie } = await signIn(0);
    const change = (headers: Record<string, string>) =>
      request(parleys[0]!.url)
        .delete('/a/api/agent/sessions/ses_none')
        .set({ Cookie: pairOf(cookie), ...headers });
    await change({ Origin: ORIGIN }).expect(404);
    await change({ Origin: 'https://evil.example' }).expect(403);
    await change({}).expect(403);
    expect((await signIn(0, {}, { Origin: 'https://evil.example' })).response.status).toBe(403);
  });
});
