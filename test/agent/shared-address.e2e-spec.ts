import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const PASSWORD = 'correct horse battery';
const OWN = 'the password of the stranger';

describe("tenants that create agents with another tenant's email address", () => {
  let parley: Parley;
  let victim: Tenant;
  let tenant: Tenant;
  let email: string;
  let twinId: string;
  let count = 0;

  beforeAll(async () => {
    parley = await Parley.start({ TRUST_PROXY: 'loopback' });
    victim = await parley.createTenant({ name: 'Victim', hasBot: false });
    tenant = await parley.createTenant({ name: 'Stranger', hasBot: false });
  });
  afterAll(() => parley.stop());

  const post = (address: string, path: string, body: object) =>
    request(`${parley.url}/api/agent`)
      .post(path)
      .set('X-Forwarded-For', address)
      .send({ mode: 'token', ...body });
  const signIn = (address: string, password: string, more: object = {}) =>
    post(address, '/session', { email, password, ...more });
  const useLink = async (address: string, of: Tenant, agentId: string, password?: string) =>
    post(address, '/session/link', { token: await parley.mintLink(of, agentId), password }).expect(201);
  /** The victim, who signed in at 198.51.100.1, and the agent of a stranger with the same address. */
  const createTwins = async (password?: string) => {
    email = `boss${++count}@victim.test`;
    const create = async (of: Tenant) => (await of.admin.post('/agents', { name: 'Boss', email }).expect(201)).body.id;
    const victimId: string = await create(victim);
    await useLink('198.51.100.1', victim, victimId, PASSWORD);
    twinId = await create(tenant);
    if (password) await useLink('192.0.2.1', tenant, twinId, password);
    return victimId;
  };
  const failures = (network: string, failed: number) =>
    parley.query(
      `INSERT INTO sign_in_failures VALUES (sha256($1::text::bytea), $2, $3, now(), now() + interval '1 minute')`,
      [email, network, failed],
    );
  const audit = async (of: Tenant, target: string, action: string) => {
    const { body } = await of.admin.get(`/audit?action=${action}&target=${target}`).expect(200);
    return (body.entries as { sourceAddress: string }[]).map(({ sourceAddress }) => sourceAddress);
  };
  const hashes = async () => Number((await Scrape.of(parley.url)).value('parley_password_hashes_total'));

  it("a network that the other tenant's agent used isn't known for the victim", async () => {
    await createTwins(OWN);
    await failures('', 101);
    const networks = Array.from({ length: 5 }, (_, number) => `203.0.${number}.1`);
    for (const network of networks) await useLink(network, tenant, twinId);
    for (const network of networks) await signIn(network, 'a guess').expect(429);
    for (const network of networks) await signIn(network, PASSWORD).expect(429);
    await signIn(networks[0]!, PASSWORD, { organizationId: victim.id }).expect(429);
    await signIn(networks[0]!, OWN, { organizationId: tenant.id }).expect(201);
    await signIn('198.51.100.1', PASSWORD).expect(201);
  });

  it("links and passwords of the other tenant's agent reset no limit of the victim", async () => {
    await createTwins(OWN);
    for (let failed = 0; failed < 11; failed++) await signIn('192.0.2.1', 'a guess').expect(401);
    await useLink('192.0.2.1', tenant, twinId);
    await signIn('192.0.2.1', OWN).expect(201);
    await signIn('192.0.2.1', PASSWORD).expect(429);
    await tenant.admin.delete(`/agents/${twinId}`).expect(204);
    await signIn('192.0.2.1', PASSWORD).expect(429);
    await signIn('198.51.100.1', PASSWORD).expect(201);
  });

  it("a sign-in to the other tenant's agent counts as a guess of the victim's password", async () => {
    await createTwins(OWN);
    for (let guess = 0; guess < 11; guess++) await signIn('192.0.2.1', OWN).expect(201);
    await signIn('192.0.2.1', PASSWORD).expect(429);
    await signIn('192.0.2.1', OWN).expect(201);
  });

  it('one agent can sign in as often as they like', async () => {
    await createTwins();
    for (let time = 0; time < 30; time++) await signIn('198.51.100.1', PASSWORD).expect(201);
    await signIn('198.51.100.1', 'mistyped');
    await signIn('198.51.100.1', PASSWORD).expect(201);
  });

  it("the answer to a wrong password doesn't depend on agents of other tenants", async () => {
    const answersOf = async (hasVictim: boolean) => {
      const victimId = await createTwins(OWN);
      if (!hasVictim) await victim.admin.patch(`/agents/${victimId}`, { email: `x${email}` }).expect(200);
      const statuses: number[] = [];
      for (let time = 0; time < 11; time++) statuses.push((await signIn('192.0.2.1', OWN)).status);
      for (let time = 0; time < 12; time++) statuses.push((await signIn('192.0.2.1', 'a guess')).status);
      await useLink('192.0.2.1', tenant, twinId);
      for (let time = 0; time < 3; time++) statuses.push((await signIn('192.0.2.1', 'a guess')).status);
      return statuses;
    };
    expect(await answersOf(true)).toEqual(await answersOf(false));
  });

  it("the other tenant's audit log has no failure of the victim, and the victim's has those from a known network", async () => {
    const victimId = await createTwins(OWN);
    await signIn('198.51.100.7', 'mistyped').expect(401);
    for (let failed = 0; failed < 12; failed++) await signIn('203.0.113.77', 'a guess');
    await signIn('203.0.113.78', 'a guess', { organizationId: victim.id });
    for (const action of ['session.failed', 'session.throttled'])
      expect(await audit(tenant, twinId, action)).toEqual([]);
    expect(await audit(victim, victimId, 'session.failed')).toContain('198.51.100.7');
    // On the stranger's own network, only their own agent's failures are recorded.
    await signIn('192.0.2.9', 'mistyped').expect(401);
    expect(await audit(tenant, twinId, 'session.failed')).toEqual(['192.0.2.9']);
  });

  it("a failure that names the organization is in that organization's audit log", async () => {
    const victimId = await createTwins(OWN);
    await signIn('203.0.113.78', 'a guess', { organizationId: victim.id }).expect(401);
    expect(await audit(victim, victimId, 'session.failed')).toEqual(['203.0.113.78']);
    expect(await audit(tenant, twinId, 'session.failed')).toEqual([]);
  });

  it('any number of agents with the address costs one hash, and hides no right password', async () => {
    await createTwins(OWN);
    for (let number = 0; number < 8; number++) {
      const { admin } = await parley.createTenant({ name: `Stranger ${number}`, hasBot: false });
      const { body } = await admin.post('/agents', { name: 'Boss', email }).expect(201);
      await useLink('198.51.100.1', { admin } as Tenant, body.id, `${OWN} ${number}`);
    }
    const before = await hashes();
    const { body } = await signIn('203.0.113.5', PASSWORD).expect(201);
    expect(body.organization.name).toBe('Victim');
    await signIn('203.0.113.5', `${OWN} 3`).expect(201);
    await signIn('203.0.113.5', 'wrong').expect(401);
    await post('203.0.113.5', '/session', { email: 'unknown@victim.test', password: 'wrong' }).expect(401);
    expect((await hashes()) - before).toBe(4);
  });
});
