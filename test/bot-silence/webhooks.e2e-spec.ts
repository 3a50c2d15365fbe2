import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { Parley } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { Silence } from './support/silence.js';

describe('a webhook that takes no messages', () => {
  let parley: Parley;
  let silence: Silence;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    silence = await Silence.start(parley);
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const create = async (body: object = {}): Promise<string> =>
    (await silence.tenant.admin.post('/webhooks', { url: receiver.url, ...body }).expect(201)).body.id;
  const answer = (status: number) => receiver.become((_, response) => void response.writeHead(status).end());
  const untilRow = (table: string, condition: string) =>
    parley.untilRow(`SELECT FROM ${table} WHERE organization_id = '${silence.tenant.id}' AND ${condition}`);
  const stays = async (chatId?: string) => {
    await silence.letTimePass();
    expect(await silence.owner(chatId)).toBe('BOT');
  };

  it('agents get the chat when the webhook answers 500', async () => {
    answer(500);
    await create();
    await silence.say();
    await silence.untilHandedOver();
    expect((await silence.transfers())[0].metadata.reason).toBe('bot_silent');
  });

  it("agents get the chat when the webhook doesn't answer, or can't be reached", async () => {
    const held: ServerResponse[] = [];
    receiver.become((_, response) => void held.push(response));
    await create();
    await silence.say();
    await silence.untilHandedOver();
    for (const response of held) response.end();
    await receiver.close();
    const second = await silence.newChat();
    await silence.untilHandedOver(second);
  });

  it('a webhook that fails, and answers 2xx before the time is over, keeps the chat', async () => {
    await silence.tenant.admin.patch('', { botSilenceSeconds: 86_400 }).expect(200);
    answer(500);
    await create();
    await silence.say();
    await untilRow('deliveries', 'due_at IS NOT NULL');
    answer(200);
    await parley.query(`UPDATE webhook_lanes SET paused_until = NULL WHERE organization_id = $1`, [silence.tenant.id]);
    await parley.query(`UPDATE deliveries SET due_at = now() WHERE organization_id = $1`, [silence.tenant.id]);
    await untilRow('deliveries', `outcome = 'delivered'`);
    await silence.tenant.admin.patch('', { botSilenceSeconds: 1 }).expect(200);
    await stays();
  });

  it('a webhook that answered 410 is disabled, and agents get the chats of later messages too', async () => {
    answer(410);
    await create();
    await silence.say();
    await untilRow('receivers', 'NOT is_enabled');
    await silence.untilHandedOver();
    await silence.untilHandedOver(await silence.newChat());
  });

  it('agents get the chats that come while a webhook is disabled by a person', async () => {
    const id = await create();
    await silence.say();
    await untilRow('deliveries', `outcome = 'delivered'`);
    await silence.tenant.admin.patch(`/webhooks/${id}`, { isEnabled: false }).expect(200);
    await silence.untilHandedOver(await silence.newChat());
    expect(await silence.owner()).toBe('BOT');
  });

  it('a webhook that was enabled after a message, or got other events then, was not asked for it', async () => {
    await create({ events: ['chat.closed'] });
    await silence.say();
    const { body } = await silence.tenant.admin.get('/webhooks').expect(200);
    await silence.tenant.admin.patch(`/webhooks/${body.webhooks[0].id}`, { events: null }).expect(200);
    await stays();
  });

  it('a webhook for statistics keeps no chat, and a webhook that takes the message does', async () => {
    await silence.listen();
    await create({ senderTypes: ['BOT'] });
    await silence.say();
    await silence.untilHandedOver();
    await create();
    const chatId = await silence.newChat();
    await untilRow('deliveries', `chat_id = '${chatId}' AND event_type = 'message.created' AND outcome = 'delivered'`);
    await stays(chatId);
  });

  it('an organization whose only webhook gets no messages of visitors keeps its chats with its bots', async () => {
    answer(500);
    await create({ senderTypes: ['BOT'] });
    await create({ events: ['chat.closed'] });
    await silence.say();
    await stays();
  });

  it('a deleted webhook is no receiver', async () => {
    answer(500);
    const id = await create();
    await silence.say();
    await silence.tenant.admin.delete(`/webhooks/${id}`).expect(204);
    await silence.newChat();
    await stays();
  });

  it('agents get the chats that come while a subscription is suspended, until its bot polls again', async () => {
    await silence.listen();
    await silence.take();
    await parley.app.get(SubscriptionUpkeep).run(new Date(Date.now() + 8 * 86_400_000));
    await untilRow('subscriptions', 'is_resting');
    await silence.say();
    expect(await parley.query('SELECT FROM deliveries WHERE organization_id = $1', [silence.tenant.id])).toEqual([]);
    await silence.untilHandedOver();
    const { ack, gap } = await silence.poll();
    expect(gap).toBeTruthy();
    await silence.poll(`&ack=${ack}`);
    const chatId = await silence.newChat();
    await silence.take();
    await stays(chatId);
  });

  it('agents get a chat whose event was dropped, unless the bot knows of the gap', async () => {
    await silence.listen();
    const drop = () =>
      parley.query(
        `WITH dropped AS (DELETE FROM deliveries WHERE organization_id = $1 RETURNING created_at)
         UPDATE subscriptions SET gap_since = (SELECT min(created_at) FROM dropped), gap_dropped = 1 WHERE organization_id = $1`,
        [silence.tenant.id],
      );
    await silence.say();
    await drop();
    await silence.poll();
    await silence.untilHandedOver();
    await silence.take();
    const chatId = await silence.newChat();
    await drop();
    await silence.take();
    await stays(chatId);
  });
});
