import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { VisitorSocket } from '../support/visitor.js';

// SQL renders messages that a statement stores or lists with chats, and TypeScript renders messages that are read. SQL
// renders chats for webhooks, and TypeScript for the API. They must never differ.
describe('a message and a chat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let visitor: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);
    visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
  });
  afterAll(async () => {
    visitor.close();
    await receiver.close();
    await parley.stop();
  });

  // Text that PostgreSQL can store: without U+0000, and whole characters.
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((value) => !value.includes('\u0000'));
  // JSON encodes -0 as 0, so the sent value is the expected one.
  const json = fc
    .jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
    .map((value): unknown => JSON.parse(JSON.stringify(value)));
  const metadata = fc.option(fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 10 }), json, { maxKeys: 4 }), {
    nil: undefined,
  });

  it('a message and its chat are the same over REST, socket, and webhook, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(text, metadata, async (content, given) => {
        const body = { chatId: tenant.chatId, content, metadata: given };
        const sent = await tenant.bot.post('/messages', body).expect(200);
        const of = (messages: { id: string }[]) => messages.find(({ id }) => id === sent.body.id);
        await receiver.until((received) => of(received.map(({ event }) => event.data.message)) !== undefined);
        const { message, chat } = receiver.received.find(({ event }) => event.data.message.id === sent.body.id)!.event
          .data;
        await visitor.until(() => of(visitor.all('message')) !== undefined);
        const path = `/chats/${tenant.chatId}`;
        const read = await tenant.bot.get(`${path}/messages?afterSeq=${message.seq - 1}&limit=1`).expect(200);
        const { body: whole } = await tenant.bot.get(path).expect(200);
        const { body: list } = await tenant.bot.get('/chats').expect(200);
        expect(message).toMatchObject({ content, metadata: given ?? {} });
        expect(read.body.messages).toEqual([message]);
        expect(of(visitor.all('message'))).toEqual(message);
        expect(of(whole.messages)).toEqual(message);
        expect(list.chats[0]).toEqual(whole);
        const { messages: _, title: __, ...summary } = whole;
        expect(chat).toEqual({ ...summary, assignedTo: null });
      }),
      { numRuns: 40 },
    );
  });
});
