import { describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

describe("the SDK's say", () => {
  const at = new Setting();

  it("say takes a message's type and metadata", async () => {
    const options = [{ label: 'Yes', value: 'yes' }];
    await at.start(({ say }) => say('Sure?', { type: 'QUICK_REPLY', metadata: { options } }));
    await at.say('hello');
    await at.reads(['hello', 'Sure?']);
    expect((await at.messages())[1]).toMatchObject({ type: 'QUICK_REPLY', metadata: { options } });
  });

  it('say takes parts with text and metadata, shows the text, and sends the metadata with the message', async () => {
    const visitor = await at.watch();
    const citations = [{ title: 'Returns', url: 'https://example.com/returns' }];
    await at.start(({ say }) =>
      say(
        (async function* () {
          yield { text: 'Within ' };
          yield { metadata: { citations } };
          yield '30 days';
          yield { text: '.', metadata: { confidence: 0.9 } };
        })(),
        { metadata: { model: 'x' } },
      ),
    );
    await at.say('hello');
    await at.reads(['hello', 'Within 30 days.']);
    expect((await at.messages())[1].metadata).toEqual({ model: 'x', citations, confidence: 0.9 });
    await visitor.until(() => visitor.all('typing').at(-1)?.isTyping === false);
    const texts = visitor.all('typing').flatMap(({ text }) => (text === undefined ? [] : [text as string]));
    expect(texts.every((text) => 'Within 30 days.'.startsWith(text))).toBe(true);
  });

  it('say shows a status until the next text, and never sends it', async () => {
    const visitor = await at.watch();
    const isShown = (status?: string, text?: string) =>
      visitor.all('typing').some((seen) => seen.status === status && seen.text === text);
    await at.start(({ say }) =>
      say(
        (async function* () {
          yield { status: 'Searching orders…' };
          await visitor.until(() => isShown('Searching orders…', ''));
          yield 'Found it. ';
          await visitor.until(() => isShown(undefined, 'Found it. '));
          yield { status: 'Asking the warehouse…', metadata: { order: 7 } };
          await visitor.until(() => isShown('Asking the warehouse…', 'Found it. '));
          yield 'It has left.';
        })(),
      ),
    );
    await at.say('hello');
    await at.reads(['hello', 'Found it. It has left.']);
    expect((await at.messages())[1].metadata).toEqual({ order: 7 });
  });

  it('a visitor stops a stream: its signal aborts, and what the visitor has read is its message', async () => {
    const visitor = await at.watch();
    let aborted: unknown;
    const { visitorToken, chatId } = at.tenant;
    const stop = () => at.parley.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {});
    await at.start(({ say, signal }) => {
      signal.addEventListener('abort', () => (aborted = signal.reason));
      const before = visitor.all('typing').length;
      const isTyped = () =>
        visitor
          .all('typing')
          .slice(before)
          .some(({ canStop, text }) => canStop === true && text !== '');
      return say(
        (async function* () {
          yield 'Within 30 days';
          await visitor.until(isTyped);
          await stop().expect(200, { isStopped: true });
          while (!signal.aborted) {
            yield '';
            await new Promise((resolve) => setImmediate(resolve));
          }
          yield ' or never.';
        })(),
      );
    });
    await at.say('hello');
    await at.reads(['hello', 'Within 30 days']);
    expect(aborted).toMatchObject({ message: expect.stringContaining('stopped') });
    await at.say('thanks');
    await at.reads(['hello', 'Within 30 days', 'thanks', 'Within 30 days']);
  });

  it('a stop within a character stores the text before it', async () => {
    const visitor = await at.watch();
    const { visitorToken, chatId } = at.tenant;
    const stop = () => at.parley.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {});
    await at.start(({ say, signal }) =>
      say(
        (async function* () {
          yield 'Within 30 days \ud83d';
          await visitor.until(() => visitor.all('typing').some(({ canStop, text }) => canStop === true && text !== ''));
          await stop().expect(200, { isStopped: true });
          while (!signal.aborted) {
            yield '';
            await new Promise((resolve) => setImmediate(resolve));
          }
        })(),
      ),
    );
    await at.say('hello');
    await at.reads(['hello', 'Within 30 days']);
    await at.isDone();
    expect(at.log).toEqual([]);
  });

  it('a stop that comes with the last words of a stream stores them once', async () => {
    const visitor = await at.watch();
    const { visitorToken, chatId } = at.tenant;
    const stop = () => at.parley.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {});
    let isStopped = false;
    await at.start(({ say }) =>
      say(
        (async function* () {
          yield 'Within 30 days';
          if (isStopped) return;
          await visitor.until(() => visitor.all('typing').some(({ canStop, text }) => canStop === true && text !== ''));
          await stop().expect(200, { isStopped: true });
          isStopped = true;
          yield ' or never.';
        })(),
      ),
    );
    await at.say('hello');
    await at.reads(['hello', 'Within 30 days or never.']);
    await at.say('thanks');
    await at.reads(['hello', 'Within 30 days or never.', 'thanks', 'Within 30 days']);
  });

  it('a stop that comes while the finished answer is being sent stores it once', async () => {
    const visitor = await at.watch();
    const { visitorToken, chatId } = at.tenant;
    const stop = () => at.parley.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {});
    let typed = 0;
    let isSending = false;
    const isStopped = () => at.proxy.bodies.some((body) => body.includes('"isStopped":true'));
    // The last live text is on its way until the bot waits for it no longer, and sends the message.
    at.proxy.before = async (asked) => {
      if (asked.endsWith('/typing') && ++typed === 3) await until('the message is being sent', () => isSending);
      if (asked !== 'POST /api/bot/messages' || isSending) return;
      await stop().expect(200, { isStopped: true });
      isSending = true;
      await until('the bot learns of the stop', isStopped);
    };
    await at.start(({ say }) =>
      say(
        (async function* () {
          yield 'Within 30 days';
          await visitor.until(() => visitor.all('typing').some(({ canStop, text }) => canStop === true && text !== ''));
          yield ' or never.';
          await until('the last live text is on its way', () => typed === 3);
        })(),
      ),
    );
    await at.say('hello');
    await until('the message is being sent', () => isSending);
    await at.isDone();
    expect(await at.contents()).toEqual(['hello', 'Within 30 days or never.']);
  });

  it("a model's tool that hands over stores what the stream has said, and nothing that comes later", async () => {
    await at.start(({ say, handOver }) =>
      say(
        (async function* () {
          yield 'I can’t refund that. ';
          yield 'A colleague can.';
          await handOver({ reason: 'Refund' });
          yield ' Too late.';
        })(),
      ),
    );
    await at.say('refund!');
    await at.waitsForPeople();
    await at.isDone();
    const contents = ['refund!', 'I can’t refund that. A colleague can.', 'Chat transferred by bot'];
    expect((await at.contents()).slice(0, 3)).toEqual(contents);
    expect(await at.contents()).not.toContain('Too late.');
    expect(at.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('a stream goes on when no agent is free, and what it has said is sent once', async () => {
    await at.start(({ say, handOver }) =>
      say(
        (async function* () {
          yield 'One moment.';
          const handedOver = await handOver({ ifUnavailable: 'FAIL' });
          yield handedOver === null ? ' No agent is free.' : ' Done.';
        })(),
      ),
    );
    await at.say('human');
    await at.reads(['human', 'One moment.', 'No agent is free.']);
    expect(await at.owner()).toBe('BOT');
  });

  it('a status alone is no answer', async () => {
    await at.start(({ say }) => say([{ status: 'Searching orders…' }]));
    await at.say('hello');
    await at.waitsForPeople();
    expect(at.lines()).toContain('NoReplyError');
  });

  it("say sends the parts' type and metadata with the last of several messages", async () => {
    const options = [{ label: 'Yes', value: 'yes' }];
    const parts = ['a'.repeat(5_000), 'b', { metadata: { options } }];
    await at.start(({ say }) => say(parts, { type: 'QUICK_REPLY', metadata: { model: 'x' } }));
    await at.say('hello');
    await at.reads(['hello', 'a'.repeat(5_000), 'b']);
    const [, first, second] = await at.messages();
    expect([first.type, first.metadata]).toEqual(['TEXT', { model: 'x' }]);
    expect([second.type, second.metadata]).toEqual(['QUICK_REPLY', { model: 'x', options }]);
  });

  describe("a model's result", () => {
    async function* words() {
      yield 'It takes ';
      yield 'two days.';
    }

    it('a result is stored if its finish reason is no error', async () => {
      await at.start(({ say }) => say({ textStream: words(), finishReason: Promise.resolve('length') }));
      await at.say('hello');
      await at.reads(['hello', 'It takes two days.']);
    });

    it.each([
      ['error', { finishReason: Promise.resolve('error'), error: new Error('out of order') }, 'out of order'],
      ['unknown', { finishReason: 'unknown' }, "The model's stream broke off: finishReason is unknown"],
    ])('a result whose finish reason is %s fails the turn, and nothing is stored', async (_, rest, message) => {
      await at.start(({ say }) => say({ textStream: words(), ...rest }));
      await at.say('hello');
      await at.reads(['hello', 'Chat transferred by bot']);
      expect(at.log.map(({ line }) => line).join()).toContain(message);
    });
  });
});
