import { describe, expect, it } from '@jest/globals';
import type { Bot } from '../../packages/bot/src/index.js';
import { until } from '../support/eventually.js';
import { Setting } from './support/setting.js';

describe('copies of a bot on the SDK', () => {
  const at = new Setting();

  const makeChats = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { body } = await at.tenant.admin.post('/chats', {}).expect(201);
        return { id: body.id as string, token: body.visitorToken as string };
      }),
    );

  it('copies that share divide the chats, and answer each message once and in order while they come and go', async () => {
    const chats = await makeChats(16);
    const busy = new Map<string, string>();
    const overlaps: string[] = [];
    const workers = new Set<string>();
    const start = async (name: string): Promise<Bot> => {
      const bot = at.make({ share: true, concurrency: 2, typingAfter: Infinity, grace: 5_000 });
      bot.on('message', async ({ message, chat, reply }) => {
        const other = busy.get(chat.id);
        if (other !== undefined) overlaps.push(`${name} and ${other}`);
        busy.set(chat.id, name);
        workers.add(name);
        await reply(`to ${message.content}`);
        busy.delete(chat.id);
      });
      await at.run(bot);
      return bot;
    };
    const first = await start('first');
    const second = await start('second');
    const say = (content: string) => Promise.all(chats.map(({ id, token }) => at.say(content, id, token)));
    await say('one');
    await until('both copies work', async () => workers.has('first') && workers.has('second'));
    await Promise.all([first.stop(), say('two')]);
    await start('third');
    await say('three');
    const wanted = ['one', 'two', 'three'];
    const answers = async (id: string) =>
      (await at.messages(id)).filter(({ sender }) => sender.type === 'BOT').map(({ content }) => content);
    for (const { id } of chats) {
      await until('all are answered', async () => (await answers(id)).length >= wanted.length);
      expect(await answers(id)).toEqual(wanted.map((content) => `to ${content}`));
    }
    expect(overlaps).toEqual([]);
    await second.stop();
  });

  it('a copy that stops leaves what it has not begun to the others immediately', async () => {
    const chats = await makeChats(4);
    let release!: () => void;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const slow = at.make({ share: true, concurrency: 1, grace: 60_000 }).on('message', async ({ reply }) => {
      begun++;
      await gate;
      await reply('slow');
    });
    await at.run(slow);
    for (const { id, token } of chats) await at.say('hello', id, token);
    await until('one is begun, and the others wait', async () => begun === 1);
    const stopped = slow.stop();
    release();
    await stopped;
    await at.run(at.make({ share: true }).on('message', ({ reply }) => reply('quick')));
    for (const { id } of chats) await until('it is answered', async () => (await at.messages(id)).length === 2);
    const contents = await Promise.all(chats.map(async ({ id }) => (await at.messages(id))[1].content));
    expect(contents.filter((content) => content === 'slow')).toHaveLength(1);
    expect(contents.filter((content) => content === 'quick')).toHaveLength(3);
  });

  it('a copy that does not share ends when another shares', async () => {
    const { ended } = await at.start(({ reply }) => reply('alone'));
    await at.run(at.make({ share: true }).on('message', ({ reply }) => reply('shared')));
    expect(await ended).toMatchObject({ name: 'SupersededError' });
    await at.say('hello');
    await at.reads(['hello', 'shared']);
  });
});
