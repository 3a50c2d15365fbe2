import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import request from 'supertest';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const PASSWORD = 'correct horse battery';
const NETWORKS = Array.from({ length: 24 }, (_, number) => `203.0.${number}.1`);
const TIMES = 2;

describe('turns of password sign-ins', () => {
  let parley: Parley;
  let holder: pg.PoolClient;
  let busy: string;
  let other: string;

  beforeAll(async () => {
    parley = await Parley.start({ TRUST_PROXY: 'loopback' });
    busy = await create(await parley.createTenant({ hasBot: false }), NETWORKS);
    other = await create(await parley.createTenant({ hasBot: false }), ['198.51.100.1']);
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    holder = await parley.database.connect();
  });
  afterEach(() => holder.release());

  const post = (address: string, path: string, body: object) =>
    request(`${parley.url}/api/agent`)
      .post(path)
      .set('X-Forwarded-For', address)
      .send({ mode: 'token', ...body });
  /** An agent who is known on all these networks. */
  const create = async (tenant: Tenant, addresses: string[]) => {
    const email = `agent@${tenant.id.slice(4)}.test`;
    const { body } = await tenant.admin.post('/agents', { name: 'Ada', email }).expect(201);
    for (const [number, address] of addresses.entries()) {
      const token = await parley.mintLink(tenant, body.id);
      await post(address, '/session/link', { token, password: number === 0 ? PASSWORD : undefined }).expect(201);
    }
    return email;
  };
  const signIn = async (address: string, email: string) =>
    (await post(address, '/session', { email, password: PASSWORD })).status;
  const waiting = async (count: number) =>
    until(`${count} sign-ins wait`, async () => {
      const scrape = await Scrape.of(parley.url);
      return scrape.value('parley_queue_depth', { queue: 'password' }) === count;
    });

  it("another organization's sign-in passes the sign-ins of an agent with many known networks", async () => {
    // The turn counts the sign-in, so it waits for this lock.
    await holder.query('BEGIN; LOCK TABLE forgiven_failures IN SHARE MODE');
    const answers: string[] = [];
    const ask = async (address: string, email: string) => {
      const status = await signIn(address, email);
      answers.push(`${email} ${status}`);
    };
    const asked = NETWORKS.flatMap((address) => Array.from({ length: TIMES }, () => ask(address, busy)));
    await waiting(NETWORKS.length * TIMES);
    asked.push(ask('198.51.100.1', other));
    await waiting(NETWORKS.length * TIMES + 1);
    await holder.query('ROLLBACK');
    await Promise.all(asked);
    // Its turn is the second one. What follows a turn runs beside the next turns, so some answers may arrive earlier.
    const place = answers.indexOf(`${other} 201`);
    expect([place >= 0, place < NETWORKS.length / 2]).toEqual([true, true]);
    expect(answers.filter((answer) => answer !== `${other} 201`)).toEqual(
      Array(NETWORKS.length * TIMES).fill(`${busy} 201`),
    );
  });

  it("an agent's locked row doesn't delay another organization's sign-in", async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM agents WHERE email = $1 FOR UPDATE', [busy]);
    const hashes = async () => Number((await Scrape.of(parley.url)).value('parley_password_hashes_total'));
    const before = await hashes();
    let hasEnded = false;
    const held = signIn(NETWORKS[0]!, busy).finally(() => (hasEnded = true));
    await until('the password is compared', async () => (await hashes()) > before);
    expect(await signIn('198.51.100.1', other)).toBe(201);
    expect(hasEnded).toBe(false);
    await holder.query('ROLLBACK');
    expect(await held).toBe(201);
  });
});
