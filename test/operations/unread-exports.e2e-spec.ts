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

describe("exports to clients that don't read", () => {
  let parley: Parley;
  let tenant: Tenant;
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
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await parley.stop();
  });

  const unsent = async () => (await Scrape.of(parley.url)).value('parley_unsent_bytes');

  it.each<[string, () => string]>([
    ['the audit log as CSV', () => '/audit/export'],
    ['a visitor', () => `/visitors/${tenant.visitorId}/export`],
  ])("an export to a client that doesn't read is ended: %s", async (_, path) => {
    const { hostname, port } = new URL(parley.url);
    const socket = connect(Number(port), hostname).pause();
    sockets.push(socket);
    await once(socket, 'connect');
    const to = `/api/admin/organizations/${tenant.id}${path()}`;
    socket.write(`GET ${to} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`);
    await until('what it does not read is counted', async () => ((await unsent()) ?? 0) > 0);
    socket.destroy();
    await until('it is gone', async () => (await unsent()) === 0);
    expect(socket.destroyed).toBe(true);
  });
});
