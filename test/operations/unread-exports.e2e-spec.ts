import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { newId } from '../../src/platform/lib/ids.js';
import { until } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

/** This many entries of 2 kB are far more than the buffers of both sockets. */
const ENTRIES = 10_000;
const MESSAGES = 3_000;
const CHATS = 10_000;

describe("exports to clients that don't read", () => {
  let parley: Parley;
  let tenant: Tenant;
  let supervisor: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    await parley.query(
      `INSERT INTO audit_entries (organization_id, id, at, actor_type, action, target, changes)
       SELECT $1, 'aud_' || lpad(n::text, 26, '0'), now(), 'SYSTEM', 'group.changed', 'grp_x',
         jsonb_build_array(jsonb_build_object('field', 'name', 'from', repeat('x', 2000), 'to', null))
       FROM generate_series(1, ${ENTRIES}) n`,
      [tenant.id],
    );
    await parley.query(
      `INSERT INTO messages (organization_id, chat_id, seq, id, sender_type, type, content, created_at)
       SELECT $1, $2, n, $3 || n, 'BOT', 'TEXT', repeat('x', 8000), now() FROM generate_series(1, ${MESSAGES}) n`,
      [tenant.id, tenant.chatId, newId('msg')],
    );
    await parley.query('UPDATE chats SET message_count = $2 WHERE id = $1', [tenant.chatId, MESSAGES]);
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
       SELECT organization_id, left(id, -5) || lpad(n::text, 5, '0'), visitor_id, group_id, 'CLOSED', now(), 0, now()
       FROM chats CROSS JOIN generate_series(1, ${CHATS}) n WHERE id = $1
       ON CONFLICT DO NOTHING`,
      [tenant.chatId],
    );
    await parley.query(`UPDATE groups SET name = repeat('x', 2000) WHERE organization_id = $1`, [tenant.id]);
    supervisor = (await parley.signInAgent(tenant, { role: 'SUPERVISOR' })).token;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await parley.stop();
  });

  const unsent = async () => (await Scrape.of(parley.url)).value('parley_unsent_bytes');

  const ofOrganization = (path: string) => ({
    path: `/api/admin/organizations/${tenant.id}${path}`,
    token: ADMIN_TOKEN,
  });
  const ofDays = (path: string) => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    return { path: `/api/agent/reports${path}?from=${day(-1)}&to=${day(1)}`, token: supervisor };
  };

  it.each<[string, () => { path: string; token: string }]>([
    ['the audit log as CSV', () => ofOrganization('/audit/export')],
    ['a visitor', () => ofOrganization(`/visitors/${tenant.visitorId}/export`)],
    ['chats as CSV', () => ofDays('/chats/export')],
  ])("an export to a client that doesn't read is ended: %s", async (_, exported) => {
    const { path, token } = exported();
    const { hostname, port } = new URL(parley.url);
    const socket = connect(Number(port), hostname).pause();
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await until('what it does not read is counted', async () => ((await unsent()) ?? 0) > 0);
    socket.destroy();
    await until('it is gone', async () => (await unsent()) === 0);
    expect(socket.destroyed).toBe(true);
  });
});
