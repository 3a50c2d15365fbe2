import { describe, expect, it } from '@jest/globals';
import { Setting } from './support/setting.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GIVEN = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('traces through a bot on the SDK', () => {
  const at = new Setting();

  it("the handler has the event's trace, and what it sends continues it", async () => {
    const { admin, chatId, visitorToken } = at.tenant;
    const { body: observer } = await admin.post('/bots', { name: 'Observer' }).expect(201);
    const { body: token } = await admin.post(`/bots/${observer.id}/tokens`, {}).expect(201);
    const observing = at.parley.bot(token.token);
    await observing.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    const seen: (string | undefined)[] = [];
    await at.start(async ({ event, reply }) => {
      seen.push(event.traceparent);
      await reply('hi');
    });
    const traced = at.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: 'one' });
    await traced.set('traceparent', GIVEN).expect(201);
    await at.reads(['one', 'hi']);
    await at.say('two');
    await at.reads(['one', 'hi', 'two', 'hi']);
    expect(seen).toEqual([GIVEN, undefined]);
    const { body } = await observing.get('/events?wait=0').expect(200);
    expect(body.traces).toEqual({ [body.events[0].id]: GIVEN });
  });
});
