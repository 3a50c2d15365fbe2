import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request, type ServerResponse } from 'node:http';
import { call, says, STOP, stream, text } from '../bot-connections/support/model.js';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { disown, own } from '../support/owned.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { type Received, Receiver } from '../support/receiver.js';
import { createTenant, type Tenant } from '../support/tenant.js';

const ADMIN_TOKEN = 'crash-admin-token';

/** A node, and its address. */
interface Node {
  service: ServiceProcess;
  url: string;
}

describe('a node that ends during the runs of a connected bot', () => {
  const nodes: Node[] = [];
  let database: TestDatabase;
  let model: Receiver;
  let tenant: Tenant;

  const startNode = async (): Promise<Node> => {
    const PORT = await freePort();
    const environment = {
      PORT,
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      ADMIN_TOKEN,
      SECRET_KEY: 'crash-secret-key',
      DEMO: '0',
      LOG_LEVEL: 'info',
      VISITOR_RATE_LIMIT: '0',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    };
    const service = await ServiceProcess.start(environment);
    own(service.child.pid!);
    const node = { service, url: `http://127.0.0.1:${PORT}` };
    nodes.push(node);
    return node;
  };
  const stop = async ({ service }: Node, signal: NodeJS.Signals) => {
    await service.kill(signal);
    disown(service.child.pid!);
  };

  beforeAll(async () => {
    database = await createDatabase({ isMigrated: false });
    model = await Receiver.start(says(text('Hello!')));
    const { url } = await startNode();
    tenant = await createTenant(url, ADMIN_TOKEN);
    const connection = { kind: 'openai', model: 'm-1', url: `http://127.0.0.1:${model.port}/v1`, collectFor: 0 };
    await tenant.admin.put(`/bots/${tenant.botId}/connection`, connection).expect(200);
  });
  afterAll(async () => {
    for (const node of nodes) if (node.service.child.exitCode === null) await stop(node, 'SIGTERM');
    await model.close();
    await database.drop();
  });

  const admin = ({ url }: Node) => new Client(`${url}/api/admin/organizations/${tenant.id}`, ADMIN_TOKEN);
  const say = async (node: Node, content: string): Promise<string> => {
    const { body: chat } = await admin(node)
      .post('/chats', { visitor: { name: 'Val' } })
      .expect(201);
    const visitor = new Client(`${node.url}/api/visitor`, chat.visitorToken);
    await visitor.post(`/chats/${chat.id}/messages`, { content }).expect(201);
    return chat.id;
  };
  const said = async (node: Node, chatId: string): Promise<string[]> => {
    const bot = new Client(`${node.url}/api/bot`, tenant.token);
    const { body } = await bot.get(`/chats/${chatId}/messages?limit=200`).expect(200);
    return body.messages
      .filter(({ sender }: any) => sender.type !== 'SYSTEM')
      .map(({ sender, content }: any) => `${sender.type}: ${content}`);
  };
  const turnsOf = async (node: Node, chatId: string): Promise<any[]> =>
    (await admin(node).get(`/bots/${tenant.botId}/turns?chatId=${chatId}`).expect(200)).body.turns;
  const ended = (node: Node, chatId: string) =>
    eventually(
      () => turnsOf(node, chatId),
      (turns) => turns.length > 0 && turns.every(({ endedAt }) => endedAt !== null),
      40_000,
    );
  /** What the visitor wrote last, and whether the request has the answer to a call. */
  const asked = ({ event }: Received) => {
    const messages = event.messages as { role: string; content: string }[];
    return {
      topic: messages.findLast(({ role }) => role === 'user')!.content,
      isFollowUp: messages.at(-1)!.role === 'tool',
    };
  };
  const requests = (topic: string) => model.received.filter((received) => asked(received).topic === topic);

  it('another node goes on, and nothing is stored or done twice', async () => {
    const [first] = nodes as [Node];
    const isHeld = { before: true, text: true, step: true };
    const answer = (topic: string, isFollowUp: boolean, response: ServerResponse) => {
      if (topic === 'before' && isHeld.before) return;
      if (topic === 'text' && isHeld.text) return void stream(response).write(text('Half of'));
      if (topic === 'step' && !isFollowUp) return says(text('First.'), call('unknown', {}))(null, response);
      if (topic === 'step' && isHeld.step) return void stream(response).write(text('Sec'));
      if (topic === 'effect')
        return says(call('offer_choices', { text: 'Sure?', choices: [{ label: 'Yes' }] }))(null, response);
      stream(response).end(text(topic === 'step' ? 'Second.' : `Answer to ${topic}`) + STOP);
    };
    model.become((received, response) => {
      const { topic, isFollowUp } = asked(received);
      answer(topic, isFollowUp, response);
    });
    const chats = {
      before: await say(first, 'before'),
      text: await say(first, 'text'),
      step: await say(first, 'step'),
      effect: await say(first, 'effect'),
    };
    await eventually(
      () => Promise.resolve(requests('step').length),
      (count) => count === 2,
    );
    await eventually(
      () => Promise.resolve(requests('before').length + requests('text').length),
      (count) => count === 2,
    );
    await eventually(
      () => said(first, chats.effect),
      ({ length }) => length === 2,
    );
    const second = await startNode();
    await stop(first, 'SIGKILL');
    Object.assign(isHeld, { before: false, text: false, step: false });
    for (const topic of ['before', 'text'] as const) {
      const [turn, ...others] = await ended(second, chats[topic]);
      expect(others).toEqual([]);
      expect(turn.runs.map(({ outcome }: any) => outcome)).toEqual(['LOST', 'DONE']);
      expect(await said(second, chats[topic])).toEqual([`VISITOR: ${topic}`, `BOT: Answer to ${topic}`]);
      expect(new Set(requests(topic).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    }
    const [turn] = await ended(second, chats.step);
    expect(turn.runs.map(({ step, outcome }: any) => [step, outcome])).toEqual([
      [1, 'DONE'],
      [2, 'LOST'],
      [2, 'DONE'],
    ]);
    expect(await said(second, chats.step)).toEqual(['VISITOR: step', 'BOT: First.', 'BOT: Second.']);
    await ended(second, chats.effect);
    expect(await said(second, chats.effect)).toEqual(['VISITOR: effect', 'BOT: Sure?']);
    expect(requests('effect')).toHaveLength(1);
  }, 120_000);

  it('a node that ends beside an idle connection gives its runs back, and another node goes on', async () => {
    const second = nodes.at(-1)!;
    const leaving = await startNode();
    let isHeld = true;
    const answer = (received: Received, response: ServerResponse) => {
      if (isHeld) return void stream(response).write(text('Half of'));
      stream(response).end(text(`Answer to ${asked(received).topic}`) + STOP);
    };
    model.become((received, response) => answer(received, response));
    await stop(second, 'SIGTERM');
    const chatId = await say(leaving, 'leaving');
    await eventually(
      () => Promise.resolve(requests('leaving').length),
      (count) => count === 1,
    );
    const agent = new Agent({ keepAlive: true });
    const idle = request(`${leaving.url}/health/live`, { agent }).end();
    await new Promise<void>((resolve) => idle.once('response', (response) => response.resume().once('end', resolve)));
    const third = await startNode();
    isHeld = false;
    await stop(leaving, 'SIGTERM');
    agent.destroy();
    expect(leaving.service.output).toMatch(/stopped after/);
    const [turn] = await ended(third, chatId);
    expect(turn.runs.map(({ outcome, try: count }: any) => [outcome, count])).toEqual([
      ['GIVEN_BACK', 1],
      ['DONE', 1],
    ]);
    expect(await said(third, chatId)).toEqual(['VISITOR: leaving', 'BOT: Answer to leaving']);
  }, 120_000);

  it('of two nodes, one answers each message', async () => {
    const second = nodes.at(-1)!;
    const third = await startNode();
    model.become((received, response) => {
      const { topic } = asked(received);
      setTimeout(() => stream(response).end(text(`Answer to ${topic}`) + STOP), 50);
    });
    const names = Array.from({ length: 20 }, (_, index) => `chat ${index}`);
    const chats = await Promise.all(names.map((name, index) => say(index % 2 === 0 ? second : third, name)));
    for (const [index, chatId] of chats.entries()) {
      const [turn, ...others] = await ended(third, chatId);
      expect([turn.status, turn.runs.length, others]).toEqual(['DONE', 1, []]);
      expect(await said(third, chatId)).toEqual([`VISITOR: chat ${index}`, `BOT: Answer to chat ${index}`]);
      expect(requests(`chat ${index}`)).toHaveLength(1);
    }
  }, 60_000);
});
