import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { programsOf } from '../platforms/support/pages.js';
import { freePort, Packages, Program } from '../platforms/support/runtimes.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { StandInModel, textOf } from './support/model.js';

const frameworks = new Packages(fileURLToPath(new URL('.', import.meta.url)));
const [SERVER, LANGGRAPH, MASTRA] = programsOf('agui') as [string, string, string];

describe.each([
  ['LangGraph', LANGGRAPH],
  ['Mastra', MASTRA],
])('an agent of %s, served over AG-UI as its page says', (name, program) => {
  let parley: Parley;
  let model: StandInModel;
  let tenant: Tenant;
  let agent: Program;
  let path: string;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    await frameworks.installWithSdk(parley.url);
    model = await StandInModel.start();
    frameworks.write('agui-server.mjs', SERVER);
    path = frameworks.write(`agui-${name}.mjs`, program);
    const PORT = String(await freePort());
    agent = Program.start('node', path, { PORT, ...model.environment });
    await until(`it listens: ${agent.output}`, () => agent.output.includes('listening on'), 60_000);
  }, 600_000);
  afterAll(async () => {
    await agent.stop('SIGKILL');
    model.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    model.requests.length = 0;
    const url = /listening on (\S+)/.exec(agent.output)![1];
    await tenant.admin.put(`/bots/${tenant.botId}/connection`, { kind: 'agui', url, collectFor: 0 }).expect(200);
  });
  afterEach(() => tenant.admin.delete(`/bots/${tenant.botId}/connection`).expect(204));

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

  it('answers, and gives the model the history and the groups', async () => {
    await say('How long?');
    await reads('How long?', 'It takes two days.');
    await say('Really?');
    await reads('How long?', 'It takes two days.', 'Really?', 'It takes two days.');
    const asked = model.requests.at(-1)!;
    const said = asked.filter(({ role }) => role !== 'system').map((message) => [message.role, textOf(message)]);
    expect(said.slice(-3)).toEqual([
      ['user', 'How long?'],
      ['assistant', 'It takes two days.'],
      ['user', 'Really?'],
    ]);
    const system = asked.filter(({ role }) => role === 'system').map(textOf);
    expect(system.join('\n')).toMatch(/one or two sentences[^]*grp_/);
  });

  it('looks an order up, and answers with it', async () => {
    await say('Where is my order?');
    await reads('Where is my order?', 'One moment.', 'Order 17 is on its way.');
  });

  it("hands over with Parley's tool", async () => {
    await say('A human, please');
    await reads('A human, please', 'Chat transferred by bot');
    expect((await messages())[1].metadata).toMatchObject({ reason: 'They asked' });
    expect(await owner()).toBe('QUEUE');
  });

  it.each(['cut', 'broken'])(
    'stores nothing of an answer that is %s, and hands over after the tries',
    async (words) => {
      await tenant.admin.patch(`/bots/${tenant.botId}/connection`, { tries: 1 }).expect(200);
      await say(words);
      await reads(words, 'Chat transferred by bot');
      expect(await owner()).toBe('QUEUE');
    },
  );
});
