import type { ServerResponse } from 'node:http';
import { eventually } from '../support/eventually.js';
import type { Parley, Tenant } from '../support/parley.js';
import type { Receiver } from '../support/receiver.js';
import type { StatementRecorder } from '../support/statements.js';

/** Creates a webhook, and calls its routes. Returns its id. */
export async function exerciseWebhooks({ admin }: Tenant, receiver: Receiver): Promise<string> {
  const { body: webhook } = await admin.post('/webhooks', { url: receiver.url }).expect(201);
  await admin.get('/webhooks').expect(200);
  await admin.get(`/webhooks/${webhook.id}`).expect(200);
  await admin.post(`/webhooks/${webhook.id}/ping`).expect(200);
  await admin.post(`/webhooks/${webhook.id}/rotate-secret`).expect(200);
  await admin.patch(`/webhooks/${webhook.id}`, { events: null, isEnabled: true }).expect(200);
  return webhook.id;
}

/** Lists and repeats a webhook's deliveries, and renews the lease of a lane whose attempt is slow. */
export async function exerciseDeliveries(
  parley: Parley,
  { admin, bot, chatId }: Tenant,
  webhook: string,
  receiver: Receiver,
  recorder: StatementRecorder,
): Promise<void> {
  const list = async (status: string) => {
    const { body } = await admin.get(`/webhooks/${webhook}/deliveries?status=${status}`).expect(200);
    return body.deliveries as { id: string }[];
  };
  await parley.untilRow(`SELECT FROM deliveries WHERE outcome = 'delivered'`);
  for (const status of ['pending', 'in_flight', 'dead']) await list(status);
  await admin.get(`/webhooks/${webhook}/deliveries`).expect(200);
  const [one] = await list('delivered');
  await admin.get(`/webhooks/${webhook}/deliveries/${one!.id}`).expect(200);
  await admin.post(`/webhooks/${webhook}/deliveries/${one!.id}/redeliver`).expect(202);
  await admin.post(`/webhooks/${webhook}/deliveries/redeliver`, { since: '2026-01-01T00:00:00Z' }).expect(202);
  // While an attempt runs, the lane of a webhook that is disabled keeps its lease by renewals alone.
  const held: ServerResponse[] = [];
  receiver.become((_, response) => void held.push(response));
  await bot.post('/messages', { chatId, content: 'slowly' }).expect(200);
  await eventually(() => held.length, Boolean);
  await admin.patch(`/webhooks/${webhook}`, { isEnabled: false }).expect(200);
  const isRenewed = () =>
    recorder.statements.some(({ text }) => text.includes('UPDATE webhook_lanes l SET leased_until = now()'));
  await eventually(isRenewed, Boolean, 20_000, 'no lease was renewed');
  receiver.become((_, response) => void response.end());
  for (const response of held) response.end();
  await admin.patch(`/webhooks/${webhook}`, { isEnabled: true }).expect(200);
}
