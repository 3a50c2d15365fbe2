import { describe, expect, it } from '@jest/globals';
import { type Message, type ModelMessage, toModelMessages } from '../../packages/bot/src/index.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

const messageOf = (type: Message['sender']['type'], content: string, more: Partial<Message> = {}): Message => ({
  id: 'msg_x',
  chatId: 'cht_x',
  seq: 1,
  type: 'TEXT',
  content,
  metadata: {},
  sender: { type, id: null, name: 'Ada' },
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

describe('toModelMessages', () => {
  const at = new Setting();

  it('toModelMessages gives a model the messages, and what happened during a hand-over', async () => {
    const ada = await at.agent();
    const chat = `/chats/${at.tenant.chatId}`;
    const heard: ModelMessage[][] = [];
    await at.start(async ({ message, history, handOver, reply }) => {
      if (message.content === 'a refund') return handOver({ reason: 'wants a refund', say: 'One moment' });
      const messages = await history();
      heard.push(toModelMessages(messages), toModelMessages(messages, { format: 'ai-sdk', count: 3 }));
      return reply('You are welcome');
    });
    await at.say('a refund');
    await at.waitsForPeople();
    await ada.client.post(`${chat}/claim`).expect(200);
    await ada.client.post(`${chat}/messages`, { content: 'It is on its way' }).expect(201);
    await ada.client.post(`${chat}/return`, {}).expect(200);
    await at.say('thanks');
    await until('the model is asked', () => heard.length === 2);
    const system = heard[0]!.filter(({ role }) => role === 'system').map(({ content }) => content);
    expect(system[0]).toBe('[Chat transferred by bot: wants a refund]');
    expect(system).toContain('[Ada joined the chat]');
    expect(heard[0]!.filter(({ role }) => role !== 'system')).toEqual([
      { role: 'user', content: 'a refund' },
      { role: 'assistant', content: 'One moment' },
      { role: 'assistant', content: 'Ada (agent): It is on its way' },
      { role: 'user', content: 'thanks' },
    ]);
    expect(heard[1]!).toEqual([
      { role: 'assistant', content: 'Ada (agent): It is on its way' },
      { role: 'assistant', content: '[The chat continues with the bot]' },
      { role: 'user', content: 'thanks' },
    ]);
  });

  it('toModelMessages keeps the newest messages that fit, and always the last one', () => {
    const history = ['x'.repeat(400), 'y'.repeat(40), '日本'].map((content) => messageOf('VISITOR', content));
    const kept = (maxTokens: number) => toModelMessages(history, { maxTokens }).map(({ content }) => content[0]);
    // 104, 14, and 6 tokens.
    expect([kept(124), kept(123), kept(20), kept(19), kept(1)]).toEqual([
      ['x', 'y', '日'],
      ['y', '日'],
      ['y', '日'],
      ['日'],
      ['日'],
    ]);
    expect(toModelMessages([], { maxTokens: 1 })).toEqual([]);
  });

  it('toModelMessages omits deleted messages, and includes choices, cards, forms, and pictures', () => {
    const options = [{ label: 'Yes', value: 'y' }, { label: 'No' }];
    const messages = toModelMessages([
      messageOf('VISITOR', '', { deletedAt: '2026-01-02T00:00:00.000Z' }),
      messageOf('BOT', 'Sure?', { type: 'QUICK_REPLY', metadata: { options } }),
      messageOf('BOT', 'Which?', { type: 'BUTTON', metadata: { cards: [{ title: 'Shoe' }, { title: 'Sandal' }] } }),
      messageOf('BOT', 'Whose?', {
        type: 'BUTTON',
        metadata: { form: { fields: [{ label: 'Order' }, { label: 'Email' }] } },
      }),
      messageOf('BOT', 'A chair', { type: 'IMAGE', metadata: { url: 'https://example.com/chair.png' } }),
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      'Sure?\n[Choices: Yes, No]',
      'Which?\n[Choices: Shoe, Sandal]',
      'Whose?\n[Form: Order, Email]',
      '[Picture: https://example.com/chair.png]\nA chair',
    ]);
  });

  it('toModelMessages rejects invalid options', () => {
    const make = (options: object) => () => toModelMessages([], options);
    expect(make({ format: 'claude' })).toThrow('format must be openai, ai-sdk, openai-agents');
    expect(make({ maxTokens: 0 })).toThrow('maxTokens must be at least 1');
    expect(make({ count: Number.NaN })).toThrow('count must be at least 1');
  });

  it("format 'openai-agents' gives the bot's messages the form of that SDK", () => {
    const history = [
      messageOf('VISITOR', 'Where is it?'),
      messageOf('BOT', 'On its way'),
      messageOf('SYSTEM', 'Chat closed'),
    ];
    expect(toModelMessages(history, { format: 'openai-agents' })).toEqual([
      { role: 'user', content: 'Where is it?' },
      { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'On its way' }] },
      { role: 'system', content: '[Chat closed]' },
    ]);
  });
});
