import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { disown, own } from '../support/owned.js';
import { Parley, type Tenant } from '../support/parley.js';
import { ServiceProcess } from '../support/process.js';
import { Example } from '../support/example.js';

describe('the LLM bot with a simulated model', () => {
  let parley: Parley;
  let tenant: Tenant;
  let example: Example;
  let model: ServiceProcess;
  let modelUrl: string;
  let bot: ServiceProcess;

  beforeAll(async () => {
    parley = await Parley.start();
    example = Example.install('llm-bot');
    model = ServiceProcess.spawn({ PORT: '0', WORD_MS: '5' }, example.file('stand-in.mjs'));
    own(model.child.pid!);
    modelUrl = (await model.prints(/OPENAI_BASE_URL=\S+/)).split('=')[1]!;
  });
  afterAll(async () => {
    await model.kill('SIGTERM');
    disown(model.child.pid!);
    example.remove();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });
  afterEach(async () => {
    await bot.kill('SIGTERM');
    disown(bot.child.pid!);
  });

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    const given = {
      PARLEY_URL: parley.url,
      PARLEY_TOKEN: tenant.token,
      OPENAI_BASE_URL: modelUrl,
      OPENAI_API_KEY: 'k',
    };
    bot = ServiceProcess.spawn({ ...given, ...environment }, example.file('llm-bot.mjs'));
    own(bot.child.pid!);
    await eventually(
      () => tenant.bot.get('/subscription'),
      ({ body }) => body.lastPolledAt != null,
    );
  };
  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
  const contents = async (): Promise<string[]> => {
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200);
    return body.messages.map(({ content }: { content: string }) => content);
  };
  const reads = (wanted: string[]) => eventually(contents, (seen) => JSON.stringify(seen) === JSON.stringify(wanted));
  const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending as number;
  const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner as string;
  const answerTo = (content: string, count: number) =>
    `You said: ${content} (message ${count} of yours that I know of)`;

  it("the LLM bot shows the model's stream, and gives it the history", async () => {
    await start();
    await say('hello 🙂');
    await reads(['hello 🙂', answerTo('hello 🙂', 1)]);
    await say('and now?');
    await reads(['hello 🙂', answerTo('hello 🙂', 1), 'and now?', answerTo('and now?', 2)]);
  });

  it("the LLM bot hands over with a summary, is silent while agents have the chat, and continues when it's returned", async () => {
    await start();
    await say('hello');
    await reads(['hello', answerTo('hello', 1)]);
    await say('a human, please');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
    const { client } = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const { body: chat } = await client.get(`/chats/${tenant.chatId}`).expect(200);
    expect(chat.handoff).toMatchObject({
      reason: 'You asked for a person',
      summary: 'The customer said: hello / a human, please',
    });
    await say('anyone there?');
    await until('the bot has seen it', async () => (await pending()) === 0);
    expect((await contents()).at(-1)).toBe('anyone there?');
    await tenant.bot.post(`/chats/${tenant.chatId}/return`).expect(200);
    await say('back?');
    await eventually(contents, (seen) => seen.at(-1) === answerTo('back?', 4));
  });

  it('the LLM bot sends a sentence when the model takes too long', async () => {
    await start({ DEADLINE_SECONDS: '6' });
    await say('slow');
    await eventually(contents, (seen) => seen.length === 2);
    expect((await contents())[1]).toContain('I cannot answer this right now');
    await say('hello');
    await eventually(contents, (seen) => seen.at(-1) === answerTo('hello', 2));
  });

  it('the LLM bot hands the chat over when the model fails repeatedly', async () => {
    await start();
    await say('broken');
    await until('it waits for people', async () => (await owner()) === 'QUEUE');
    expect(bot.output.match(/\(message\.created\) in \w+: Error: the model answered 500/g)).toHaveLength(3);
    expect(bot.output).not.toContain('Bearer');
  });
});
