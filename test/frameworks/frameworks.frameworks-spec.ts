import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { programsOf } from '../platforms/support/pages.js';
import { Packages, Program } from '../platforms/support/runtimes.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { StandInModel, textOf } from './support/model.js';

const frameworks = new Packages(fileURLToPath(new URL('.', import.meta.url)));

describe.each(['ai-sdk', 'langgraph', 'mastra', 'openai-agents'])('the bot of the page %s', (page) => {
  let parley: Parley;
  let model: StandInModel;
  let tenant: Tenant;
  let bot: Program;

  beforeAll(async () => {
    parley = await Parley.start();
    await frameworks.installWithSdk(parley.url);
    model = await StandInModel.start();
  }, 600_000);
  afterAll(async () => {
    model.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    model.requests.length = 0;
    const variables = { PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token, ...model.environment };
    bot = Program.start('node', frameworks.write(`${page}.mjs`, programsOf(page)[0]!), variables);
    await until('it polls', async () => (await tenant.bot.get('/subscription')).status === 200);
  });
  afterEach(() => bot.stop('SIGKILL'));

  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
  const messages = async (): Promise<any[]> =>
    (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body.messages;
  const reads = (...wanted: string[]) =>
    eventually(
      async () => (await messages()).map(({ content }) => content as string),
      (seen) => seen.join('|') === wanted.join('|'),
    );
  const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner;

  it('streams the answer, and gives the model the history', async () => {
    await say('How long?');
    await reads('How long?', 'It takes two days.');
    await say('Really?');
    await reads('How long?', 'It takes two days.', 'Really?', 'It takes two days.');
    const said = model.requests.at(-1)!.filter(({ role }) => role !== 'system');
    expect(said.map((message) => [message.role, textOf(message)])).toEqual([
      ['user', 'How long?'],
      ['assistant', 'It takes two days.'],
      ['user', 'Really?'],
    ]);
  });

  it('looks an order up, and answers with it', async () => {
    await say('Where is my order?');
    await reads('Where is my order?', 'One moment. Order 17 is on its way.');
    expect(model.requests.at(-1)!.at(-1)).toMatchObject({ role: 'tool' });
  });

  it('hands over with the reason and the summary of the model', async () => {
    await say('A human, please');
    await reads('A human, please', 'Chat transferred by bot');
    expect((await messages())[1].metadata).toMatchObject({ reason: 'They asked' });
    expect(await owner()).toBe('QUEUE');
  });

  it.each(['cut', 'broken'])('stores nothing of an answer that is %s, and hands over', async (words) => {
    await say(words);
    await reads(words, 'Chat transferred by bot');
    expect(await owner()).toBe('QUEUE');
  });
});
