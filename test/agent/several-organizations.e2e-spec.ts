import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes, scryptSync } from 'node:crypto';
import type { Pool } from 'pg';
import { POOL } from '../../src/platform/database/pool.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const EMAIL = 'ada@example.com';

function oldHash(password: string): string {
  const salt = randomBytes(16);
  const [left, right] = [salt, scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 })].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  return `$scrypt$ln=4,r=8,p=1$${left}$${right}`;
}

describe('an email in several organizations', () => {
  let parley: Parley;
  let first: Tenant;
  let second: Tenant;
  let third: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    [first, second, third] = [
      await parley.createTenant({ name: 'First' }),
      await parley.createTenant({ name: 'Second' }),
      await parley.createTenant({ name: 'Third' }),
    ];
    await parley.signInAgent(first, { email: EMAIL, password: 'the same password' });
    await parley.signInAgent(second, { email: EMAIL, password: 'the same password' });
    await parley.signInAgent(third, { email: EMAIL, password: 'another password' });
  });
  afterAll(() => parley.stop());

  const signIn = (password: string, more: object = {}) =>
    parley.agent().post('/session', { email: EMAIL, password, mode: 'token', ...more });
  const hashesOf = async (work: () => PromiseLike<unknown>) => {
    const read = async () => Number((await Scrape.of(parley.url)).value('parley_password_hashes_total', {}));
    const before = await read();
    await work();
    return (await read()) - before;
  };

  it('an agent whose password is right in several organizations must name one, and sees only those', async () => {
    const { body } = await signIn('the same password').expect(409);
    expect(body).toMatchObject({ code: 'organization_required', status: 409 });
    expect(body.organizations.toSorted((a: any, b: any) => a.name.localeCompare(b.name))).toEqual([
      { id: first.id, name: 'First' },
      { id: second.id, name: 'Second' },
    ]);
    const { body: named } = await signIn('the same password', { organizationId: second.id }).expect(201);
    expect(named.organization).toEqual({ id: second.id, name: 'Second' });
    await signIn('the same password', { organizationId: third.id }).expect(401);
  });

  it("an agent whose password is right in one organization needn't name it", async () => {
    expect((await signIn('another password').expect(201)).body.organization.name).toBe('Third');
  });

  it('a failed attempt costs as many hashes as one with an unknown email', async () => {
    const spent = [
      await hashesOf(() => signIn('wrong').expect(401)),
      await hashesOf(() =>
        parley.agent().post('/session', { email: 'unknown@example.com', password: 'wrong' }).expect(401),
      ),
    ];
    expect(spent).toEqual([1, 1]);
  });

  it("failed attempts don't scan the agents of every organization", async () => {
    const guess = (email: string) => parley.agent().post('/session', { email, password: 'wrong' }).expect(401);
    await guess('nobody@example.com');
    const asked = jest.spyOn(parley.app.get<Pool>(POOL), 'query');
    try {
      for (let count = 0; count < 3; count++) await guess(`nobody${count}@example.com`);
      const texts = asked.mock.calls.map(([query]) => JSON.stringify(query));
      expect(texts.filter((text) => text.includes('sign_in_failures')).length).toBeGreaterThanOrEqual(3);
      expect(texts.filter((text) => /GROUP BY (?:a\.)?email_key/.test(text))).toEqual([]);
    } finally {
      asked.mockRestore();
    }
  });

  it("disabled agents and deleted organizations don't count", async () => {
    const { body } = await second.admin.get('/agents').expect(200);
    await second.admin.patch(`/agents/${body.agents[0].id}`, { isEnabled: false }).expect(200);
    expect((await signIn('the same password').expect(201)).body.organization.name).toBe('First');
    await second.admin.patch(`/agents/${body.agents[0].id}`, { isEnabled: true }).expect(200);
    await signIn('the same password').expect(409);
    await parley.admin.delete(`/${second.id}`).expect(204);
    expect((await signIn('the same password').expect(201)).body.organization.name).toBe('First');
  });

  it('a password is tried in any number of organizations', async () => {
    const email = 'many@example.com';
    const tenants: Tenant[] = [];
    for (let number = 0; number < 6; number++) {
      const tenant = await parley.createTenant({ name: `Many ${number}`, hasBot: false });
      await parley.signInAgent(tenant, { email, password: `password of ${number}` });
      tenants.push(tenant);
    }
    const attempt = (number: number, more: object = {}) =>
      parley.agent().post('/session', { email, password: `password of ${number}`, mode: 'token', ...more });
    for (let number = 0; number < 6; number++) {
      const { body } = await attempt(number).expect(201);
      expect(body.organization.id).toBe(tenants[number]!.id);
    }
    await attempt(0, { organizationId: tenants[0]!.id }).expect(201);
  });

  it('a password of an earlier release, with a salt of its own, gets the shared salt when it is used', async () => {
    const email = 'old@example.com';
    const agents: string[] = [];
    for (let number = 0; number < 3; number++) {
      const tenant = await parley.createTenant({ name: `Old ${number}`, hasBot: false });
      const { id } = await parley.signInAgent(tenant, { email, password: `password of ${number}` });
      await parley.query('UPDATE agents SET password_hash = $2 WHERE id = $1', [id, oldHash(`password of ${number}`)]);
      agents.push(id);
    }
    for (let time = 0; time < 2; time++)
      for (const number of [2, 0, 1])
        await parley
          .agent()
          .post('/session', { email, password: `password of ${number}`, mode: 'token' })
          .expect(201);
    const salts = `SELECT DISTINCT split_part(password_hash, '$', 4) AS salt FROM agents WHERE id = ANY ($1)`;
    expect(await parley.query(salts, [agents])).toHaveLength(1);
  });
});
