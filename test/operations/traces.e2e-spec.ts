import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const GIVEN = `00-${TRACE}-${SPAN}-01`;
const HEADER = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

describe('traces', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.05,0.05' });
    receiver = await Receiver.start();
    tenant = await parley.createTenant();
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
  });
  afterEach(() => {
    receiver.become((_received, response) => void response.end());
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await parley.stop();
    await receiver.close();
  });

  const send = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content });
  const spanOf = ({ headers }: Received) => {
    const [, trace, span] = HEADER.exec(headers.traceparent!)!;
    expect(trace).toBe(TRACE);
    return span!;
  };

  it("a request's trace continues in its webhook, with a new span for every attempt", async () => {
    receiver.become((_received, response) => void response.writeHead(500).end());
    await send('refused').set('traceparent', GIVEN).expect(200);
    const spans = (await receiver.count(3)).map(spanOf);
    expect(new Set([SPAN, ...spans]).size).toBe(4);
    expect(receiver.received[0]!.body).not.toContain(TRACE);
  });

  it('a request without a trace gets none', async () => {
    await send('alone').expect(200);
    await send('invalid')
      .set('traceparent', `00-${'0'.repeat(32)}-${SPAN}-01`)
      .expect(200);
    await send('of another version').set('traceparent', `ff-${TRACE}-${SPAN}-01`).expect(200);
    for (const { headers } of await receiver.count(3)) expect(headers.traceparent).toBeUndefined();
  });

  it('a polling bot gets the trace of each event that has one, and the same events as a webhook', async () => {
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await send('traced').set('traceparent', GIVEN).expect(200);
    await send('alone').expect(200);
    const received = await receiver.count(2);
    for (const query of ['', '&share=one']) {
      const { body } = await tenant.bot.get(`/events?wait=0${query}`).expect(200);
      const { id } = body.events.find((event: any) => event.data.message.content === 'traced');
      expect(body.traces).toEqual({ [id]: GIVEN });
      expect(body.events).toEqual(received.map(({ event }) => event));
    }
    await tenant.bot.delete('/subscription').expect(204);
  });

  it('messages of one batch keep their own traces', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const sent = send(`${index}`);
        return (index % 2 ? sent.set('traceparent', GIVEN) : sent).expect(200);
      }),
    );
    for (const { event, headers } of await receiver.count(30)) {
      const isTraced = Number(event.data.message.content) % 2 === 1;
      expect(headers.traceparent !== undefined).toBe(isTraced);
    }
  });

  it('every event continues the trace of the request that caused it', async () => {
    const chats = parley.visitor(tenant.visitorToken);
    await send('keyed').set('Idempotency-Key', 'traced').set('traceparent', GIVEN).expect(200);
    await chats.post(`/chats/${tenant.chatId}/messages`, { content: 'hi' }).set('traceparent', GIVEN).expect(201);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('traceparent', GIVEN).expect(200);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).set('traceparent', GIVEN).expect(200);
    await chats.post('/chats', {}).set('traceparent', GIVEN).expect(201);
    const { body: other } = await tenant.admin.post('/chats', {}).set('traceparent', GIVEN).expect(201);
    const received = await receiver.count(8);
    const types = received.map(({ event }) => String(event.type)).toSorted();
    expect(types).toEqual([
      'chat.closed',
      'chat.created',
      'chat.created',
      'chat.transferred',
      // Two written by people, and the lines of the transfer and the end.
      ...Array.from({ length: 4 }, () => 'message.created'),
    ]);
    expect(new Set(received.map(spanOf)).size).toBe(8);
    expect(received.some(({ event }) => event.data.chat.id === other.id)).toBe(true);
  });

  it("a ping and a redelivery continue their request's trace", async () => {
    const { body } = await tenant.admin.get('/webhooks').expect(200);
    const webhook = `/webhooks/${body.webhooks[0].id}`;
    await tenant.admin.post(`${webhook}/ping`).set('traceparent', GIVEN).expect(200);
    spanOf(receiver.received[0]!);
    await send('twice').set('traceparent', GIVEN).expect(200);
    const [, first] = await receiver.count(2);
    const id = first!.event.id.replace('evt', 'dlv');
    for (let status = 409; status !== 202;)
      ({ status } = await tenant.admin.post(`${webhook}/deliveries/${id}/redeliver`));
    const [, , second] = await receiver.count(3);
    expect(spanOf(second!)).not.toBe(spanOf(first!));
  });
});
