import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ConnectedBot } from './support/model.js';

// The shapes of the lines were recorded from n8n.
const line = (type: string, content?: string, nodeId = 'agent-1', runIndex = 0) => {
  const metadata = { nodeId, nodeName: 'AI Agent', itemIndex: 0, runIndex, timestamp: 1_785_000_000_000 };
  return `${JSON.stringify({ type, content, metadata })}\n`;
};
const answers =
  (body: string | Buffer, type = 'application/json; charset=utf-8') =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': type }).end(body);

describe('a bot that is connected to n8n', () => {
  let parley: Parley;
  let bot: ConnectedBot;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley, { kind: 'n8n' });
    bot.model.become(answers('{"output":"Hello!"}'));
  });
  afterEach(() => bot.close());

  const answered = async (content: string, count = 1) => {
    await bot.say(content);
    return (await bot.ended(count)).at(-1);
  };

  it('asks as its chat page does, with a signature', async () => {
    const address = `${bot.base}/chat`;
    await bot.tenant.admin.delete(bot.path).expect(204);
    const { body: made } = await bot.tenant.admin
      .put(bot.path, { kind: 'n8n', url: address, collectFor: 0, headers: { 'X-Key': 'k' } })
      .expect(200);
    expect(made.secret).toMatch(/^whsec_/);
    expect(made.tries).toBe(1);
    expect(made).not.toHaveProperty('model');
    const { body: again } = await bot.tenant.admin.put(bot.path, { kind: 'n8n', url: address, collectFor: 0 });
    expect(again).not.toHaveProperty('secret');
    const turn = await answered('Hi there');
    const [{ path, headers, body, event }] = bot.model.received as any;
    expect(path).toBe('/v1/chat');
    expect(headers['x-key']).toBe('k');
    expect(headers['webhook-id']).toBe(turn.runs[0].id);
    const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(event).toEqual({
      action: 'sendMessage',
      sessionId: bot.tenant.chatId,
      chatInput: 'Hi there',
      metadata: {
        parley: {
          turnId: turn.id,
          step: 1,
          try: 1,
          groups: [expect.objectContaining({ name: expect.any(String) })],
          messages: [],
        },
      },
    });
  });

  it('gets the conversation before, and what agents wrote', async () => {
    await answered('One');
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'I can help' }).expect(201);
    await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
    await bot.connect({ kind: 'n8n', share: ['visitor'] });
    await answered('Two', 2);
    const { chatInput, metadata } = bot.model.received[1]!.event;
    expect(chatInput).toBe('Earlier in this chat:\nAda: I can help\n\nTwo');
    expect(metadata.parley).toMatchObject({
      visitor: { name: 'Vera', email: 'vera@example.com', isVerified: false },
      messages: [
        { by: 'VISITOR', text: 'One' },
        { by: 'BOT', text: 'Hello!' },
        { by: 'TEAM', name: 'Ada', text: 'I can help' },
      ],
    });
    expect(metadata.parley).not.toHaveProperty('groups');
  });

  it.each<[string, string, string]>([
    ['an object with output', '{"output":"Fine.","text":"no"}', 'application/json'],
    ['an object with text, over several lines', '{\n  "text": "Fine."\n}', 'application/json'],
    ['an array', '[{"message":"Fine."},{"message":"no"}]', 'application/json'],
    ['plain text', 'Fine.', 'text/html; charset=utf-8'],
    [
      'a stream',
      line('begin') + line('item', 'Fi') + line('item') + line('item', 'ne.') + line('end'),
      'application/json',
    ],
    ['a stream with an empty first line', `\n${line('begin')}${line('item', 'Fine.')}${line('end')}`, ''],
    [
      'a stream with CRLF',
      (line('begin') + line('item', 'Fine.') + line('end')).replaceAll('\n', '\r\n'),
      'text/plain',
    ],
    ['unknown lines of a stream', line('begin') + line('thought', 'x') + line('item', 'Fine.') + line('end'), 'x/y'],
  ])('the body decides how it is read: %s', async (_, body, type) => {
    bot.model.become(answers(body, type));
    expect(await answered('Hi')).toMatchObject({ status: 'DONE' });
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Fine.']);
  });

  it('each node and run is a message, at its end', async () => {
    const lines = [
      line('begin', undefined, 'a'),
      line('begin', undefined, 'b'),
      line('item', 'Second', 'b'),
      line('item', 'Fir', 'a'),
      line('item', 'st', 'a'),
      'not JSON\n',
      line('end', undefined, 'a'),
      line('end', undefined, 'b'),
      line('item', 'Third', 'a', 1),
      line('end', undefined, 'a', 1),
      line('end', undefined, 'unknown'),
    ];
    bot.model.become(answers(lines.join('')));
    await answered('Hi');
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: First\nnot JSON', 'BOT: Second', 'BOT: Third']);
  });

  it('shows the text while it comes, even when a character is split', async () => {
    const visitor = await parley.connectVisitor(bot.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: bot.tenant.chatId });
    const open: ServerResponse[] = [];
    bot.model.become((_, response) => void open.push(response));
    await bot.say('Hi');
    await bot.model.count(1);
    const bytes = Buffer.from(line('begin') + line('item', 'Grüße') + line('item', ' an alle'));
    const at = bytes.indexOf(Buffer.from('ü')) + 1;
    open[0]!.write(bytes.subarray(0, at));
    open[0]!.write(bytes.subarray(at));
    await visitor.until(() => visitor.all('typing').some((typing) => typing.text === 'Grüße an alle'));
    open[0]!.end(line('end'));
    await bot.ended(1);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Grüße an alle']);
  });

  it('hands over by a line of its own, and nothing after it is stored', async () => {
    const first = line('item', 'One moment.\n[[hand_over]]\nx', 'a') + line('end', undefined, 'a');
    bot.model.become(answers(first + line('item', 'ignored', 'b') + line('end', undefined, 'b')));
    expect(await answered('Money back')).toMatchObject({ status: 'HANDED_OVER' });
    expect(await bot.said()).toEqual(['VISITOR: Money back', 'BOT: One moment.']);
  });

  it.each<[string, string | Buffer]>([
    ['unsupported', '{"executionStarted":true,"executionId":"42"}'],
    ['empty', ''],
    ['empty', '{"result":"x"}'],
    ['empty', '[]'],
    ['empty', '{"output":null}'],
    ['content_type', '<!DOCTYPE html><html><body>Error</body></html>'],
    ['endpoint_error', line('begin') + line('error', 'The model is not reachable')],
    ['truncated', line('begin') + line('item', 'Half')],
    ['too_large', line('item', 'x'.repeat(50_001)) + line('end')],
    ['protocol', Buffer.from([0x48, 0xff, 0xfe])],
  ])('agents get the chat, with nothing of the answer: %s', async (code, body) => {
    bot.model.become(answers(body));
    expect(await answered('Hi')).toMatchObject({ status: 'FAILED', code });
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
    expect(await bot.owner()).toBe('QUEUE');
  });

  it('many tens of thousands of short lines are read in time', async () => {
    const lines = Array.from({ length: 40_000 }, () => line('item', 'x')).join('');
    bot.model.become(answers(lines.slice(0, 3_000_000).slice(0, lines.lastIndexOf('\n', 3_000_000) + 1) + line('end')));
    expect(await answered('Hi')).toMatchObject({ status: 'DONE' });
    await eventually(
      () => bot.owner(),
      (owner) => owner === 'BOT',
    );
  });
});
