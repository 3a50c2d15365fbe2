import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ScriptedBot } from './support/script.js';

describe('a scripted bot on several nodes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let nodes: Parley[];

  beforeAll(async () => {
    database = await createDatabase();
    nodes = [await Parley.start({}, database.url), await Parley.start({}, database.url)];
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await database.drop();
  });

  it('each message is answered once, and a restart keeps the place in the script', async () => {
    const bot = await ScriptedBot.start(nodes[0]!);
    const other = bot.at(nodes[1]!);
    expect(await bot.ask('Hello')).toEqual(['BOT: What is it about?']);
    expect(await other.ask('my order')).toEqual(['BOT: What is its number?']);
    await nodes.shift()!.stop();
    nodes.push(await Parley.start({}, database.url));
    const restarted = bot.at(nodes[1]!);
    await restarted.send('4711');
    await eventually(
      () => restarted.chat(),
      ({ owner }) => owner === 'QUEUE',
    );
    expect(await restarted.said()).toEqual([
      'VISITOR: Hello',
      'BOT: What is it about?',
      'VISITOR: my order',
      'BOT: What is its number?',
      'VISITOR: 4711',
      'BOT: A colleague will look.',
    ]);
  });

  it('simultaneous messages on two nodes are each answered once, one after the other', async () => {
    const bot = await ScriptedBot.start(nodes[0]!);
    await bot.connect({ script: { steps: [{ id: 'a', text: 'Yes?', keywords: ['hi'] }] }, onNewMessage: 'queue' });
    const at = nodes.map((node) => bot.at(node));
    await Promise.all(['Hi 1', 'Hi 2', 'Hi 3', 'Hi 4'].map((words, index) => at[index % 2]!.send(words)));
    await eventually(
      () => bot.ended(),
      (count) => count === 4,
    );
    expect((await bot.said()).filter((text) => text === 'BOT: Yes?')).toHaveLength(4);
  });
});
