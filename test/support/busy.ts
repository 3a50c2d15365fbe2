import { once } from 'node:events';
import request from 'supertest';
import { WebSocket } from 'ws';
import { eventually } from './eventually.js';
import type { Parley, Tenant } from './parley.js';
import { Receiver } from './receiver.js';
import { Scrape } from './scrape.js';

/** Does a bit of everything, so that every metric has a value. */
export async function beBusy(parley: Parley): Promise<Tenant> {
  const tenant = await parley.createTenant();
  const receiver = await Receiver.start();
  await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
  await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
  await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
  await parley.bot('wrong').get('/groups').expect(401);
  await request(parley.url).get('/nowhere').expect(404);
  await parley.connectVisitor('wrong').catch(() => null);
  await sendTooEarly(parley.url);
  const visitor = await parley.connectVisitor(tenant.visitorToken);
  await visitor.ask('chat:open', { chatId: tenant.chatId });
  await visitor.ask('message:send', { chatId: tenant.chatId, content: 'hi' });
  await visitor.next('message');
  const delivered = (seen: Scrape) => seen.value('parley_webhook_deliveries_total', { outcome: 'delivered' });
  await eventually(
    () => Scrape.of(parley.url),
    (seen) => Number(delivered(seen)) >= 4,
  );
  await receiver.close();
  return tenant;
}

/** Sends a request over a connection without a namespace, and waits until the service closes it. */
async function sendTooEarly(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  await once(socket, 'message');
  socket.send('42["sync",{}]');
  await once(socket, 'close');
}
