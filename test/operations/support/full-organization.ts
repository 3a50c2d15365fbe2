import { expect } from '@jest/globals';
import { COPIED_TABLES } from '../../../src/platform/database/tenant-tables.js';
import type { Parley, Tenant } from '../../support/parley.js';
import type { Receiver } from '../../support/receiver.js';
import { fillChat, readSeqs, upTo } from '../../support/traces.js';

/** All rows that a copy has to have, as text, without what a copy may change. */
export async function snapshot(parley: Parley, id: string): Promise<Record<string, string[]>> {
  const emptied = ['change_epoch', 'awake_since', 'last_online_at', 'last_used_at'];
  const tables = COPIED_TABLES.map(async ({ name, key }) => {
    const rows = await parley.query<{ row: string }>(
      `SELECT (to_jsonb(t) - $2::text[])::text AS row FROM ${name} t WHERE ${key} = $1 ORDER BY 1`,
      [id, emptied],
    );
    return [name, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}
/** An organization with rows in many tables, and values that are easy to lose. */
export async function createFullOrganization(parley: Parley, receiver: Receiver) {
  const tenant = await parley.createTenant();
  const ada = await parley.signInAgent(tenant, { role: 'ADMIN', password: 'a-long-password-1' });
  const { body: webhook } = await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
  await tenant.admin.post(`/webhooks/${webhook.id}/rotate-secret`, {}).expect(200);
  await tenant.bot.put('/subscription', {}).expect(200);
  const text = 'quotes " \' \\ {a,b} NULL\n\t\u{1f600} \\x00';
  const said = { content: text, metadata: { constructor: 1, deep: [{ n: 1.5, big: 9007199254740991 }, null] } };
  await tenant.bot.post('/messages', { chatId: tenant.chatId, ...said }).expect(200);
  await tenant.bot.put(`/chats/${tenant.chatId}/state`, { state: { kept: [null, 'NULL', 1.5] } }).expect(200);
  await ada.client.post(`/chats/${tenant.chatId}/notes`, { content: 'NULL' }).expect(201);
  await tenant.bot.post('/transfer', { chatId: tenant.chatId, reason: text }).expect(200);
  await fillChat(parley, tenant.id, tenant.chatId, 1_200);
  await receiver.until((all) => all.some(({ event }) => event.organizationId === tenant.id));
  // The lane of the webhook is at rest, so nothing changes by itself.
  await parley.untilRow(`
    SELECT WHERE NOT EXISTS (SELECT FROM webhook_lanes WHERE organization_id = '${tenant.id}' AND leased_until IS NOT NULL)
      AND NOT EXISTS (SELECT FROM deliveries WHERE receiver_id = '${webhook.id}' AND outcome IS NULL)`);
  return { tenant, ada, webhookId: webhook.id as string };
}
/** Bots and visitors go on in the chat. */
export async function works(parley: Parley, { id, chatId, token, visitorToken }: Tenant): Promise<void> {
  const { seqs } = await readSeqs(parley, id, chatId);
  await parley.bot(token).post('/messages', { chatId, content: 'goes on' }).expect(200);
  await parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: 'so do I' }).expect(201);
  expect(await readSeqs(parley, id, chatId)).toEqual({ seqs: upTo(seqs.length + 2), messageCount: seqs.length + 2 });
}
