import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { createBot, type MessageTurn } from '../../packages/bot/src/index.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
const textsOf = ({ messages }: MessageTurn) => messages.map(({ content }) => content);
/** A reply that says which messages it answers. */
const answerTo = (turn: MessageTurn) => `to ${textsOf(turn).join('+')}`;

describe('onNewMessage', () => {
  const at = new Setting();
  /** Waits until the turn is over, or may continue. */
  const hold = async (turn: MessageTurn, isOpen: () => boolean) => {
    const over = turn.signal.aborted ? Promise.resolve() : once(turn.signal, 'abort');
    await Promise.race([over, until('it may go on', isOpen)]);
    turn.signal.throwIfAborted();
  };

  it("onNewMessage is 'queue' by default: one turn per message", async () => {
    await at.start((turn) => turn.reply(answerTo(turn)));
    await at.say('1');
    await at.say('2');
    await until('both are answered', async () => (await at.messages()).length === 4);
    const contents = await at.contents();
    expect(contents.filter((content) => content.startsWith('to'))).toEqual(['to 1', 'to 2']);
    expect((await at.messages()).at(-1).metadata).toEqual({});
  });

  it("'interrupt' ends the turn, and the next one has both messages", async () => {
    const seen: string[] = [];
    let isOpen = false;
    const handler = async (turn: MessageTurn) => {
      seen.push(textsOf(turn).join());
      await hold(turn, () => isOpen);
      expect(turn.message.content).toBe('3');
      await turn.reply(answerTo(turn), { metadata: { mine: true } });
    };
    await at.start(handler, { onNewMessage: 'interrupt' });
    await at.say('1');
    await until('a turn runs', () => seen.length === 1);
    await at.say('2');
    await until('another runs', () => seen.at(-1) === '1,2');
    await at.say('3');
    await until('a third runs', () => seen.at(-1) === '1,2,3');
    isOpen = true;
    await at.reads(['1', '2', '3', 'to 1+2+3']);
    await at.isDone();
    expect((await at.messages()).at(-1).metadata).toEqual({ mine: true, answers: { fromSeq: 1, toSeq: 3 } });
    expect([seen, at.log]).toEqual([['1', '1,2', '1,2,3'], []]);
  });

  it("'interrupt' doesn't end a turn that has already sent something", async () => {
    let isOpen = false;
    await at.start(
      async (turn) => {
        await turn.reply(`begin ${textsOf(turn).join('+')}`);
        await hold(turn, () => isOpen);
        await turn.reply(answerTo(turn));
      },
      { onNewMessage: 'interrupt' },
    );
    await at.say('1');
    await at.reads(['1', 'begin 1']);
    await at.say('2');
    await until('the second is here', () => at.proxy.bodies.some((body) => body.includes('"content":"2"')));
    isOpen = true;
    await at.reads(['1', 'begin 1', '2', 'to 1', 'begin 2', 'to 2']);
  });

  it("'collect' waits for more messages, and the turn has all of them", async () => {
    await at.start((turn) => turn.reply(answerTo(turn)), { onNewMessage: 'collect', collectFor: 4_000 });
    for (const content of ['1', '2', '3']) await at.say(content);
    await at.reads(['1', '2', '3', 'to 1+2+3']);
    await at.isDone();
    await at.say('4');
    await at.reads(['1', '2', '3', 'to 1+2+3', '4', 'to 4']);
  });

  it('messages with other events between them stay in separate turns', async () => {
    await at.tenant.bot.put('/subscription', { events: ['message.created', 'chat.closed'] }).expect(200);
    await at.say('1');
    await at.tenant.admin.patch(`/chats/${at.tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await at.say('2');
    const seen: string[] = [];
    await at.start(
      (turn) => {
        seen.push(textsOf(turn).join());
        return turn.reply(answerTo(turn));
      },
      { onNewMessage: 'interrupt' },
    );
    await at.isDone();
    expect(seen).toEqual(['1', '2']);
  });

  it.each(['interrupt', 'collect'] as const)(
    "'%s' answers each message once when its process dies",
    async (onNewMessage) => {
      const options = { onNewMessage, collectFor: 0 };
      // The first process answers only 1, and dies before that is acknowledged.
      let isDead = false;
      const first = await at.start(async (turn) => {
        await turn.reply(answerTo(turn));
        at.proxy.fail('GET /api/bot/events', Array<string>(200).fill('refuse'));
        isDead = true;
      }, options);
      await at.say('1');
      await until('it has answered', () => isDead);
      await first.bot.stop();
      await first.ended;
      await at.say('2');
      at.proxy.heal();
      // The second finds both, sends the first half of its reply to 2, and dies too.
      const died = await at.start(async (turn) => {
        await turn.reply(answerTo(turn));
        if (turn.message.content !== '2') return;
        at.proxy.fail('GET /api/bot/events', Array<string>(200).fill('refuse'));
        await new Promise(() => undefined);
      }, options);
      await at.reads(['1', 'to 1', '2', 'to 2']);
      await died.bot.stop();
      await died.ended;
      await at.say('3');
      at.proxy.heal();
      const seen: string[] = [];
      await at.start(async (turn) => {
        seen.push(textsOf(turn).join());
        await turn.reply(answerTo(turn));
        await turn.reply(`more ${answerTo(turn)}`);
      }, options);
      await at.isDone();
      expect((await at.contents()).filter((content) => content.startsWith('to'))).toEqual(['to 1', 'to 2', 'to 3']);
      expect(await at.contents()).toContain('more to 2');
      expect(seen.join().split(',').toSorted()).toEqual(['1', '2', '3']);
    },
  );

  it.each(['interrupt', 'collect'] as const)("'%s' keeps a turn of several messages together", async (onNewMessage) => {
    const options = { onNewMessage, collectFor: 5_000 };
    let runs = 0;
    const first = await at.start(async (turn) => {
      if (textsOf(turn).length < 2) await hold(turn, () => false);
      runs++;
      await turn.reply(answerTo(turn));
      at.proxy.fail('GET /api/bot/events', Array<string>(200).fill('refuse'));
      await new Promise(() => undefined);
    }, options);
    await at.say('1');
    await at.say('2');
    await at.reads(['1', '2', 'to 1+2']);
    await first.bot.stop();
    await first.ended;
    await at.say('3');
    at.proxy.heal();
    const seen: string[] = [];
    await at.start((turn) => {
      seen.push(textsOf(turn).join());
      return turn.reply(`again ${answerTo(turn)}`);
    }, options);
    await at.isDone();
    expect(await at.contents()).toEqual(['1', '2', 'to 1+2', '3', 'again to 3']);
    expect([runs, seen]).toEqual([1, ['1,2', '3']]);
  });

  it("the next process answers messages that a killed process's last request didn't answer", async () => {
    const seen: string[] = [];
    await at.start(
      async (turn) => {
        seen.push(textsOf(turn).join());
        if (turn.messages.length === 2) {
          // Stored only now: the reply to the first message alone.
          const { chatId, id } = turn.messages[0]!;
          const body = { chatId, content: 'to 1', metadata: { answers: { fromSeq: 1, toSeq: 1 } }, ifOwner: 'BOT' };
          await at.tenant.bot.post('/messages', body).set('Idempotency-Key', `${id}.1`).expect(200);
        }
        await turn.reply(answerTo(turn));
      },
      { onNewMessage: 'collect', collectFor: 4_000 },
    );
    await at.say('1');
    await at.say('2');
    await at.reads(['1', '2', 'to 1', 'to 2']);
    await at.isDone();
    expect(seen).toEqual(['1,2', '2']);
  });

  it('unknown values of onNewMessage are rejected', () => {
    const make = (options: object) => () => createBot({ url: 'http://127.0.0.1', token: 'x', ...options });
    expect(make({ onNewMessage: 'drop' })).toThrow('onNewMessage must be queue, interrupt, collect');
    expect(make({ collectFor: -1 })).toThrow('collectFor must be from 0 to 60000');
  });

  it.each([
    ['interrupt', ['1', '3'], '2'],
    ['interrupt', ['3', '2'], '1'],
    ['collect', ['1', '3'], '2'],
    ['collect', ['3', '2'], '1'],
  ] as const)("'%s' answers each message once if webhooks bring %j before %s", async (onNewMessage, first, last) => {
    await at.tenant.bot.put('/subscription', {}).expect(200);
    for (const content of ['1', '2', '3']) await at.say(content);
    const { body } = await at.tenant.bot.get('/events?wait=0').expect(200);
    const bot = at.make({ onNewMessage, collectFor: 50 }).on('message', (turn) => turn.reply(answerTo(turn)));
    const handle = bot.fetch({ secret: SECRET });
    const post = async (content: string) => {
      const event = body.events.find(({ data }: { data: any }) => data.message?.content === content);
      const [text, now] = [JSON.stringify(event), new Date()];
      const headers = {
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(SECRET).sign(event.id, now, text),
      };
      return (await handle(new Request('http://bot.test', { method: 'POST', headers, body: text }))).status;
    };
    expect(await Promise.all(first.map(post))).toEqual([204, 204]);
    expect(await post(last)).toBe(204);
    const answers = (await at.messages()).filter(({ sender }) => sender.type === 'BOT');
    const answered = answers.flatMap(({ content }) => content.slice(3).split('+'));
    expect(answered.toSorted((a, b) => Number(a) - Number(b))).toEqual(['1', '2', '3']);
    for (const { content, metadata } of answers) {
      const seqs = content.slice(3).split('+').map(Number);
      expect(metadata.answers).toEqual({ fromSeq: Math.min(...seqs), toSeq: Math.max(...seqs) });
    }
    await bot.stop();
  });
});
