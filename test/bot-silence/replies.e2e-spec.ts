import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley } from '../support/parley.js';
import { Silence } from './support/silence.js';

describe('a bot that takes a message and says nothing', () => {
  let parley: Parley;
  let silence: Silence;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    silence = await Silence.start(parley, { botSilenceSeconds: 0, botReplySeconds: 1 });
  });

  const reply = (more: object = {}) =>
    silence.tenant.bot.post('/messages', { chatId: silence.tenant.chatId, content: 'Here', ...more }).expect(200);

  it('agents get the chat after botReplySeconds, once', async () => {
    await silence.listen();
    await silence.say();
    await silence.take();
    await silence.untilHandedOver();
    const [line, ...others] = await silence.transfers();
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      content: "The bot isn't answering, so our team takes over this chat.",
      metadata: { event: 'chat.transferred', groupName: 'General', reason: 'bot_unanswered' },
    });
    const ada = await parley.signInAgent(silence.tenant, { role: 'ADMIN' });
    const path = `/chats/${silence.tenant.chatId}`;
    await ada.client.post(`${path}/claim`, {}).expect(200);
    await ada.client.post(`${path}/return`, {}).expect(200);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
  });

  it('an answer keeps the chat, and typing does not', async () => {
    await silence.listen();
    await silence.say();
    await reply();
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await silence.say('And now?');
    const type = () =>
      silence.tenant.bot.post(`/chats/${silence.tenant.chatId}/typing`, { isTyping: true }).expect(200);
    await silence.until(
      async () => {
        await type();
        return silence.owner();
      },
      (owner) => owner === 'QUEUE',
    );
  });

  it('it also limits bots that read over REST, and is off by default', async () => {
    await silence.say();
    await silence.untilHandedOver();
    const patient = await Silence.start(parley, {});
    await patient.say();
    await patient.letTimePass();
    expect(await patient.owner()).toBe('BOT');
    const { body } = await patient.tenant.admin.get('').expect(200);
    expect(body).toMatchObject({ botSilenceSeconds: 120, botReplySeconds: 0 });
  });

  it('a chat of an agent, or in the queue, is left alone', async () => {
    const { bot, chatId } = silence.tenant;
    await bot.post('/transfer', { chatId, reason: 'wants a person' }).expect(200);
    await silence.say();
    await silence.letTimePass();
    expect((await silence.transfers()).map(({ metadata }) => metadata.reason)).toEqual(['wants a person']);
  });

  it('other numbers are refused', async () => {
    for (const field of ['botSilenceSeconds', 'botReplySeconds'])
      for (const value of [-1, 86_401, 1.5, '10']) {
        const { body } = await silence.tenant.admin.patch('', { [field]: value }).expect(400);
        expect(body.errors).toEqual([expect.objectContaining({ pointer: `/${field}` })]);
      }
  });
});
