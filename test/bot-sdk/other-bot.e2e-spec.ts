import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Setting } from './support/setting.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('a bot on the SDK beside another bot', () => {
  const at = new Setting();

  const signed = (event: object) => {
    const body = JSON.stringify(event);
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` };
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(text).digest('base64');
    const all = { ...headers, 'webhook-signature': `v1,${signature}` };
    return new Request('https://bot.example.com/', { method: 'POST', body, headers: all });
  };

  it('ignores the chats of a group that names another bot, and asks only once which bot it is', async () => {
    const { admin, botId, bot: client } = at.tenant;
    const { body: other } = await admin.post('/bots', { name: 'Other' }).expect(201);
    const [{ id: groupId }] = (await client.get('/groups').expect(200)).body;
    await client.put('/subscription', { senderTypes: ['VISITOR'] }).expect(200);
    const seen: string[] = [];
    const bot = at.make().on('message', ({ message, ignore }) => {
      seen.push(message.content);
      return ignore();
    });
    const handle = bot.fetch({ secret: SECRET });
    await at.say('for every bot');
    await admin.patch(`/groups/${groupId}`, { botId }).expect(200);
    await at.say('for this bot');
    const { events } = (await client.get('/events?wait=0').expect(200)).body;
    const [first, second] = events;
    const third = structuredClone(second);
    third.id = 'evt_other';
    third.data.chat.group.botId = other.id;
    // The first question fails, so Parley delivers the event again.
    at.proxy.fail('GET /api/bot/me', ['403']);
    expect((await handle(signed(first))).status).toBe(204);
    expect((await handle(signed(third))).status).toBe(503);
    expect((await handle(signed(third))).status).toBe(204);
    expect((await handle(signed(second))).status).toBe(204);
    expect(seen).toEqual(['for every bot', 'for this bot']);
    expect(at.proxy.requests.filter((one) => one === 'GET /api/bot/me')).toHaveLength(2);
  });
});
