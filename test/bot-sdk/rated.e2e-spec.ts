import { describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

describe("the SDK and ratings of the bot's messages", () => {
  const at = new Setting();

  it('a handler of message.rated gets the rating and the message, and needs no answer', async () => {
    const { admin, bot, chatId, visitorToken } = at.tenant;
    await admin.patch('/widget', { messageRating: true }).expect(200);
    const seen: unknown[] = [];
    const sdk = at.make().on('message.rated', ({ data }) => {
      seen.push({ rating: data.rating.rating, comment: data.rating.comment, id: data.message.id });
    });
    await at.run(sdk);
    const { id } = (await bot.post('/messages', { chatId, content: 'On Monday' }).expect(200)).body;
    const visitor = at.parley.visitor(visitorToken);
    await visitor.put(`/chats/${chatId}/messages/${id}/rating`, { rating: 'DOWN', comment: 'Wrong' }).expect(200);
    await until('the handler has run', () => seen.length > 0);
    await at.isDone();
    expect(seen).toEqual([{ rating: 'DOWN', comment: 'Wrong', id }]);
    expect(at.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
