import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Parley } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import { startNodes } from './support/nodes.js';

describe('stops on several nodes', () => {
  let redis: RedisServer;
  let nodes: Parley[];

  beforeAll(async () => {
    redis = await RedisServer.start();
    nodes = await startNodes(redis);
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
    await redis.kill();
  });

  it('a visitor stops a bot that writes through another node, and learns that it was writing', async () => {
    const [here, there, third] = nodes as [Parley, Parley, Parley];
    const { chatId, token, visitorToken } = await here.createTenant();
    await here.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: 'Hi' }).expect(201);
    const stop = () => third.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {});
    await stop().expect(200, { isStopped: false });
    const type = (node: Parley) =>
      node.bot(token).post(`/chats/${chatId}/typing`, { isTyping: true, text: 'At nine', canStop: true }).expect(200);
    await here.bot(token).post('/messages', { chatId, content: 'Yes?' }).expect(200);
    expect((await type(there)).body).toEqual({ chatId, isTyping: true });
    await stop().expect(200, { isStopped: true });
    for (const node of nodes) expect((await type(node)).body.isStopped).toBe(true);
  });

  it('a visitor learns on every node that the bot was connected', async () => {
    const [here, there] = nodes as [Parley, Parley];
    const { admin, botId, chatId, visitorToken } = await here.createTenant();
    const visitor = await there.connectVisitor(visitorToken);
    expect(await visitor.ask('chat:open', { chatId })).toMatchObject({ isConnected: false });
    const connection = { kind: 'openai', url: 'https://model.example/v1', model: 'm-1' };
    await admin.put(`/bots/${botId}/connection`, connection).expect(200);
    await visitor.until(() => visitor.all('chat').at(-1)?.isConnected === true);
  });
});
