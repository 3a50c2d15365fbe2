import { expect } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VisitorFeed } from '../../../src/live/feeds/visitor-feed.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { signIdentity } from '../../support/identity.js';
import { freePort } from '../../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../../support/process.js';
import { Receiver } from '../../support/receiver.js';
import { SAMPLES } from './samples.js';
import type { World } from './world.js';

/** What readers do with the samples of a page, and what they see then. */
interface Story {
  page: string;
  run: (world: World) => Promise<void>;
}

const BOT = `import { createBot } from 'parley-bot';
const bot = createBot({ url: process.env.PARLEY_URL, token: process.env.PARLEY_TOKEN });
`;
const RUN = '\nawait bot.run();\n';
const CREATE_ROLE = 'DO $$ BEGIN CREATE ROLE parley; EXCEPTION WHEN duplicate_object THEN NULL; END $$';

/** A sample of another page, which readers of this page have to run first. */
const sampleOf = (page: string, has: string) =>
  SAMPLES.find((sample) => sample.page === page && sample.text.includes(has))!.text;
const adminFunctions = () => sampleOf('docs/operate/admin-api.md', 'bearer()');
const signInFunctions = () => sampleOf('docs/inside/rooms/chats.md', 'read -r LINK');

/** Runs a bot, writes as the visitor, and waits for the answer. */
async function talk(world: World, bot: string, content: string, answer: string) {
  const program = await world.startBot(bot);
  await world.say(content);
  const message = await world.answered(answer);
  await program.kill('SIGTERM');
  return message;
}

/** Prepares `admin`, `$api`, and `$org` of the page about the admin API. */
function prepareAdmin(world: World): string {
  world.write('data/secrets.json', JSON.stringify({ ADMIN_TOKEN: world.environment.ADMIN_TOKEN }));
  return `${adminFunctions()}org=${world.tenant.id}\n`;
}

/** The answer of `read -r LINK`. */
async function linkOf(world: World): Promise<string> {
  const { tenant, parley } = world;
  const { body } = await tenant.admin
    .post('/agents', { name: 'Ada', email: 'ada@acme.example', role: 'ADMIN' })
    .expect(201);
  return `${await parley.mintLink(tenant, body.id)}\n`;
}

/** A service without configuration, and the lines that its start prints. */
async function startDemo(world: World) {
  const DATA_DIR = temporaryDirectory();
  const PORT = await freePort();
  const service = ServiceProcess.spawn({ DATA_DIR, PORT });
  const line = await service.prints(/^export PARLEY_URL=.*$/m);
  const url = `http://127.0.0.1:${PORT}`;
  const token = /PARLEY_TOKEN=(\S+)/.exec(line)![1]!;
  Object.assign(world.environment, { PARLEY_URL: url, PARLEY_TOKEN: token });
  const key = /#key=(\w+)/.exec(service.output)![1]!;
  const { body: demo } = await new Client(url, key).get('/demo/session').expect(200);
  const { widgetKey, identity, chatId } = demo;
  const { body: session } = await new Client(`${url}/api/visitor`)
    .post('/sessions', { widgetKey, identity })
    .expect(201);
  const bot = new Client(`${url}/api/bot`, token);
  return {
    output: service.output,
    url,
    /** Waits until a bot polls, and then for its answer. */
    async talk(content: string, answer: string): Promise<void> {
      await eventually(
        () => bot.get('/subscription'),
        ({ body }) => body.lastPolledAt != null,
      );
      await new Client(`${url}/api/visitor`, session.token).post(`/chats/${chatId}/messages`, { content }).expect(201);
      await eventually(
        () => bot.get(`/chats/${chatId}/messages`),
        ({ body }) => body.messages.some((message: { content: string }) => message.content === answer),
      );
    },
    async stop(): Promise<void> {
      await service.kill('SIGTERM');
      rmSync(DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** Expects every line of a sample in an output, where `…` stands for anything. */
function expectLines(sample: string, output: string, url: string): void {
  const lines = sample.split('\n').filter((line) => line.trim() !== '' && line !== '…');
  for (const line of lines) {
    const parts = line.replaceAll('http://127.0.0.1:3000', url).split('…');
    expect(output).toMatch(
      new RegExp(`^${parts.map((part) => part.replaceAll(/[^\w\s]/g, '\\$&')).join('\\S+')}$`, 'm'),
    );
  }
}

export const STORIES: readonly Story[] = [
  {
    page: 'README.md',
    async run(world) {
      const demo = await startDemo(world);
      expectLines(world.take('Demo chat'), demo.output, demo.url);
      await world.shellInBackground(world.take('END_OF_BOT').replaceAll('http://127.0.0.1:3000', demo.url));
      await demo.talk('hello', 'You said: hello').finally(() => demo.stop());
    },
  },
  {
    page: 'docs/start/index.md',
    async run(world) {
      const demo = await startDemo(world);
      expectLines(world.take('Demo chat'), demo.output, demo.url);
      await world.shell(world.take('npm install'), { cwd: world.emptyFolder });
      writeFileSync(join(world.emptyFolder, 'my-bot/bot.mjs'), world.take('createBot'));
      await world.shellInBackground(`cd my-bot\n${world.take('node bot.mjs')}`);
      await demo.talk('hello', 'You said: hello').finally(() => demo.stop());
    },
  },
  {
    page: 'docs/bots/index.md',
    async run(world) {
      expect(await world.shell(world.take('bot create'))).toMatch(/\bbot_\w+[^]*\bprl_pat_\w+/);
      await world.shell(`${world.take('export')}test "$PARLEY_TOKEN" = ${world.tenant.token}`);
    },
  },
  {
    page: 'docs/bots/sdk.md',
    async run(world) {
      await world.shell(`${world.take('npm install')}test -f node_modules/parley-bot/package.json`, {
        cwd: world.emptyFolder,
      });
      await world.shell(`${world.take('npm pack')}test -f node_modules/parley-bot/package.json`, {
        cwd: world.emptyFolder,
      });
      const [bot, ...more] = ['createBot', 'chat.returned', 'visitor.updated'].map((text) => world.take(text));
      const program = await world.startBot(
        bot!.replace('await bot.run()', () => `${more.join('\n')}\nawait bot.run()`),
      );
      await world.tenant.bot.patch(`/visitors/${world.tenant.visitorId}`, { attributes: { plan: 'gold' } }).expect(200);
      await eventually(
        () => program.output,
        (output) => output.includes("{ plan: 'gold' }"),
      );
      await world.say('hello');
      await world.answered('You said: hello');
      await world.say('human');
      await world.answered('Chat transferred by bot');
      const { client } = await world.parley.signInAgent(world.tenant, { role: 'ADMIN' });
      await client.post(`/chats/${world.tenant.chatId}/claim`, {}).expect(200);
      await client.post(`/chats/${world.tenant.chatId}/return`, { note: 'Done' }).expect(200);
      await world.answered("I'm back. My colleague says: Done");
      await program.kill('SIGTERM');
      world.write('invoice.txt', 'Total: 12 EUR');
      const sending = await world.startBot(`${BOT}${world.take('message.files ?? []')}${RUN}`);
      await world.say('the invoice');
      const hasInvoice = (messages: { files?: { name: string }[] }[]) =>
        messages.at(-1)?.files?.[0]?.name === 'invoice.txt';
      await eventually(() => world.messages(), hasInvoice);
      await sending.kill('SIGTERM');
      await talk(world, `${BOT}${world.take('answersOf')}${RUN}`, 'hello', 'What is your order number?');
    },
  },
  {
    page: 'docs/bots/bursts.md',
    async run(world) {
      const program = await world.startBot(world.take('collect'));
      await Promise.all([world.say('one'), world.say('two')]);
      const seen = await eventually(
        () => world.messages(),
        (messages) => messages.some(({ sender }) => sender.type === 'BOT'),
      );
      expect(seen.map(({ content }) => content).join()).toMatch(/You said: /);
      await program.kill('SIGTERM');
    },
  },
  {
    page: 'docs/bots/hand-over.md',
    async run(world) {
      await talk(
        world,
        `${BOT}${world.take("ifUnavailable: 'FAIL'")}${RUN}`,
        'hello',
        'My colleagues are back at 9. What’s your email address?',
      );
      await talk(world, `${BOT}${world.take('targetBotId')}${RUN}`, 'hello', 'Ask me about your order.');
      const program = await world.startBot(world.take('I’ll get a colleague'));
      await world.say('hi');
      await world.answered('Ask me anything, or write "human".');
      await world.say('human');
      await world.answered('I’ll get a colleague for you.');
      await world.answered('Chat transferred by bot');
      const { client } = await world.parley.signInAgent(world.tenant, { role: 'ADMIN' });
      await client.post(`/chats/${world.tenant.chatId}/claim`, {}).expect(200);
      await client.post(`/chats/${world.tenant.chatId}/return`, {}).expect(200);
      await world.answered('I’m back. What else can I do?');
      await program.kill('SIGTERM');
    },
  },
  {
    page: 'docs/bots/errors.md',
    async run(world) {
      const { body: groups } = await world.tenant.bot.get('/groups').expect(200);
      world.ids.grp = groups[0].id;
      const broken = `\nbot.on('message', () => { throw new Error('broken'); });\n`;
      await talk(
        world,
        `${world.take('failure:')}${broken}${RUN}`,
        'hello',
        'Sorry, something broke. A colleague will take over.',
      );
      const { metadata } = await world.answered('Chat transferred by bot');
      expect(metadata).toMatchObject({ reason: 'The assistant failed' });
    },
  },
  {
    page: 'docs/bots/language-models.md',
    async run(world) {
      await talk(world, world.take('askModel'), 'hello', 'You asked: hello');
      await talk(world, world.take('I know'), 'And now?', 'I know 3 messages');
      await talk(world, world.take('I see'), 'And files?', 'I see 1 parts');
      const { metadata } = await talk(
        world,
        `${BOT}${world.take('citations')}${RUN}`,
        'How long?',
        'Parcels take two days.',
      );
      expect(metadata).toMatchObject({
        model: 'small',
        citations: [{ title: 'Shipping', url: 'https://shop.example/shipping' }],
      });
    },
  },
  {
    page: 'docs/bots/deploy.md',
    async run(world) {
      await talk(world, world.take('SupersededError'), 'hello', 'You said: hello');
      const echo = `bot.on('message', ({ message, reply }) => reply('Shared: ' + message.content));`;
      const shared = `import { createBot } from 'parley-bot';\n${world.take('share: true')}${echo}${RUN}`;
      await talk(world, shared, 'hi', 'Shared: hi');
      const { body: groups } = await world.tenant.bot.get('/groups').expect(200);
      world.ids.grp = groups[0].id;
      await world.shell(world.take('group update'));
      const { body: group } = await world.tenant.admin.get(`/groups/${groups[0].id}`).expect(200);
      expect(group.botId).toBe(world.tenant.botId);
      const request = await world.signedRequest();
      const url = 'http://bot.example/hook';
      const driver = (call: string) =>
        `${call}\nconst { secret, body, headers } = ${JSON.stringify(request)};\n` +
        `const request = (signature) => new Request('${url}', { method: 'POST', body, headers: { ...headers, ...signature } });\n`;
      world.write('read.mjs', world.take('verifyWebhook'));
      const reader = world.start(
        `${driver("import { read } from './read.mjs';")}
         console.log((await read(request(), secret)).type, await read(request({ 'webhook-id': 'evt_other' }), secret));`,
      );
      await reader.prints(/^message\.created null$/m);
      await world.startReceiver(world.take('bot.webhook'));
      await world.say('over HTTP');
      await world.answered('You said: over HTTP');
    },
  },
  {
    page: 'docs/bots/outside.md',
    async run(world) {
      const { tenant, parley } = world;
      const identity = await signIdentity(tenant, { sub: 'customer-7' });
      await parley.beginSession(tenant, { identity }).expect(201);
      expect(await world.start(world.take('openChat')).ended()).toMatchObject({ code: 0 });
      world.ids.vis = tenant.visitorId;
      const functions = sampleOf('docs/bots/http.md', 'bot()');
      const output = await world.shell(`${functions}chat=${tenant.chatId}\n${world.take('bot $api/me')}`);
      expect(output).toMatch(/"isNew":false/);
      expect(output).toMatch(/"state":\{"step":"address"\},"version":1/);
      const counting = `${BOT}${world.take('chat.state.update')}${RUN}`;
      await talk(world, counting, 'hello', "That's your message number 1: hello");
    },
  },
  {
    page: 'docs/bots/testing.md',
    async run(world) {
      world.write('bot.mjs', world.take('// bot.mjs'));
      world.write('bot.test.mjs', world.take('// bot.test.mjs'));
      // The test needs no address and no token.
      const run = `unset PARLEY_URL PARLEY_TOKEN\n${world.take('node --test')}`;
      expect(await world.shell(run)).toMatch(/^# pass 1$|^ℹ pass 1$/m);
    },
  },
  {
    page: 'docs/bots/http.md',
    async run(world) {
      const named = [
        'bot()',
        'Hello!',
        'QUICK_REPLY',
        '"cards"',
        '"form"',
        'citations',
        '"$api/uploads',
        '$api/files',
        'typing',
      ];
      const output = await world.shell(named.map((has) => world.take(has)).join(''));
      expect(output.match(/"status":"sent"/g)).toHaveLength(7);
      expect(output).toContain('Total: 12 EUR');
      expect((await world.messages()).map(({ content }) => content)).toEqual([
        'Hello!',
        'Which one?',
        'We have the trail shoe and the sandal.',
        'What is your order number?',
        'Two days.',
        'Your invoice',
        'Your order has left our warehouse.',
      ]);
    },
  },
  {
    page: 'docs/bots/pull.md',
    async run(world) {
      const program = await world.startBot(world.take('for (let query'));
      await world.say('hello');
      await world.answered('You said: hello');
      await program.kill('SIGKILL');
      // `--follow` doesn't end: test/processes/parley-bot-events runs it.
      const commands = world.take('--follow').replaceAll(/^.*--follow.*\n/gm, '');
      expect(await world.shell(commands)).toMatch(/pending/i);
    },
  },
  {
    page: 'docs/bots/webhooks.md',
    async run(world) {
      expect(await world.shell(world.take('webhook create'))).toMatch(/whsec_/);
      const { body } = await world.tenant.admin.get('/webhooks').expect(200);
      world.ids.whk = body.webhooks[0].id;
      expect(await world.shell(world.take('rotate-secret'))).toMatch(/whsec_/);
      const receiver = await world.startReceiver(world.take("from 'standardwebhooks'"));
      await world.say('hello');
      await receiver.prints(/^evt_\w+ message\.created$/m);
      await receiver.kill('SIGKILL');
      await world.startPython(world.take('hmac.compare_digest'));
      await world.say('hello again');
      await world.answered('You said: hello again');
    },
  },
  {
    page: 'docs/website/headless.md',
    async run(world) {
      await world.shell(`${world.take('npm install')}test -f node_modules/parley-visitor/package.json`, {
        cwd: world.emptyFolder,
      });
      await world.startBot(
        `${BOT}bot.on('message', ({ message, reply }) => reply('You said: ' + message.content));${RUN}`,
      );
      await world.start(world.take('process.env.WIDGET_KEY')).prints(/^Bot: You said: hello$/m);
    },
  },
  {
    page: 'docs/website/index.md',
    async run(world) {
      expect(await statusOfWidget(world, world.take('<script'))).toBe(200);
      await world.shell(world.take('--allowed-origins'));
      const { body } = await world.tenant.admin.get('').expect(200);
      expect(body.allowedOrigins).toEqual(['https://shop.example', 'https://www.shop.example']);
    },
  },
  {
    page: 'docs/website/identity.md',
    async run(world) {
      expect(await statusOfWidget(world, world.take('<script'))).toBe(200);
      world.write('identity.mjs', world.take('signIdentity'));
      const user = { id: 'user-42', name: 'Vera', email: 'vera@example.com' };
      const signer = world.start(
        `import { signIdentity } from './identity.mjs';
         console.log('identity', signIdentity(${JSON.stringify(user)}, '${world.tenant.identitySecret}'));`,
      );
      const identity = (await signer.prints(/^identity \S+$/m)).split(' ')[1];
      const { body } = await world.parley.beginSession(world.tenant, { identity }).expect(201);
      expect(body.visitor).toMatchObject({ name: 'Vera', email: 'vera@example.com' });
      expect(await world.shell(world.take('organization create'))).toMatch(/identitySecret +prl_ids_/);
    },
  },
  {
    page: 'docs/website/settings.md',
    async run(world) {
      await world.shell(world.take('widget update'));
      const { body } = await world.tenant.admin.get('/widget').expect(200);
      expect(body).toMatchObject({
        greeting: 'Hello! How can we help?',
        color: '#1f6f54',
        rating: true,
        askEmail: 'optional',
      });
      await world.shell(world.take('cookie-domain'));
      expect((await world.tenant.admin.get('/widget').expect(200)).body).toMatchObject({ cookieDomain: 'example.com' });
      await world.shell(world.take('person-after'));
      expect((await world.tenant.admin.get('/widget').expect(200)).body).toMatchObject({ personAfter: 2 });
      await world.shell(world.take('form-fields'));
      await world.shell(world.take('proactive-messages'));
      const { formFields, proactiveMessages } = (await world.tenant.admin.get('/widget').expect(200)).body;
      expect(formFields.map(({ key }: { key: string }) => key)).toEqual(['order', 'topic']);
      expect(proactiveMessages.map(({ id }: { id: string }) => id)).toEqual(['sizes', 'back']);
    },
  },
  {
    page: 'docs/console/administer.md',
    async run(world) {
      const [create, link] = world.take('agent create').trim().split('\n');
      await world.shell(`org=${world.tenant.id}\n${create}`);
      const { body } = await world.tenant.admin.get('/agents').expect(200);
      world.ids.agt = body.agents[0].id;
      expect(await world.shell(`org=${world.tenant.id}\n${link}`)).toMatch(/prl_lnk_/);
    },
  },
  {
    page: 'docs/operate/admin-api.md',
    async run(world) {
      const prepare = prepareAdmin(world);
      world.take('bearer()');
      const [create, change] = [world.take('id()'), world.take('If-Match')];
      const output = await world.shell(`${prepare}${create}${change}`);
      expect(output).toMatch(/"identitySecret":"prl_ids_/);
      expect(output).toMatch(/"url":"[^"]*#prl_lnk_/);
      expect(output).toMatch(/"offerSeconds":45/);
      const [add, list, revoke] = world.take('operator create').split('\n') as [string, string, string];
      const nextYear = `${new Date().getFullYear() + 1}-`;
      expect(await world.shell(add.replace(/20\d\d-/, nextYear))).toMatch(/prl_opt_|token/);
      const id = /opr_\w+/.exec(await world.shell(list))![0];
      await world.shell(revoke.replace(/opr_\w+/, `${id} --yes`));
      expect(await world.shell(list)).not.toContain(id);
    },
  },
  {
    page: 'docs/operate/data.md',
    async run(world) {
      const prepare = `${prepareAdmin(world)}visitor=${world.tenant.visitorId}\n`;
      await world.shell(prepare + world.take('retentionDays'));
      expect(await world.shell(prepare + world.take('externalId='))).toMatch(/vera@example\.com/);
      expect(await world.shell(`${prepare}${world.take('person.json')}cat person.json`)).toMatch(/"chats":/);
      const unzip = 'python3 -m zipfile --list person.zip';
      expect(await world.shell(`${prepare}${world.take('person.zip')}${unzip}`)).toMatch(/person\.json/);
      expect(await world.shell(prepare + world.take('-X DELETE'))).toMatch(/^20[24]$/m);
    },
  },
  {
    page: 'docs/operate/command-line.md',
    async run(world) {
      const output = await world.shell(world.take('chat list'));
      expect(output).toMatch(/prl_ids_[^]*prl_pat_[^]*whsec_/);
      const list = world
        .take('organization list')
        .replace('https://chat.example', world.parley.url)
        .replace(' ADMIN_TOKEN=…', '');
      expect(await world.shell(list)).toMatch(/Acme/);
      const jq = `jq() { node -p 'JSON.parse(require("fs").readFileSync(0)).token'; }\n`;
      const ids = `org=${world.tenant.id}\nbot=${world.tenant.botId}\n`;
      expect(await world.shell(`${jq}${ids}${world.take('jq -r')}`)).toMatch(/^prl_pat_\w+$/m);
    },
  },
  {
    page: 'docs/operate/managed-databases.md',
    async run(world) {
      await world.parley.query(`BEGIN; ${CREATE_ROLE}; ${world.take('ALTER ROLE')} ROLLBACK`);
    },
  },
  {
    page: 'docs/operate/scaling.md',
    async run(world) {
      await world.parley.query(`BEGIN; ${CREATE_ROLE}; ${world.take('ALTER ROLE')} ROLLBACK`);
    },
  },
  {
    page: 'docs/operate/faults.md',
    async run(world) {
      await world.parley.query(world.take('pg_blocking_pids'));
    },
  },
  {
    page: 'docs/operate/upgrades.md',
    async run(world) {
      await world.parley.query(world.take('pg_stat_activity'));
    },
  },
  {
    page: 'docs/reference/sockets.md',
    async run(world) {
      await world.say('hello');
      const before = `const url = '${world.parley.url}';\nconst token = '${world.tenant.visitorToken}';
        const show = ({ content, seq }) => console.log(seq, content);\n`;
      const client = world.start(before + world.take('catchUp'));
      await client.prints(/^1 hello$/m);
      await world.say('again');
      await client.prints(/^2 again$/m);
    },
  },
  {
    page: 'docs/reference/disconnects.md',
    async run(world) {
      const before = `const url = '${world.parley.url}';\nconst token = '${world.tenant.visitorToken}';\n`;
      const client = world.start(`${before}${world.take('connect_error')}
        socket.on('connect', () => console.log('connected'));`);
      await client.prints(/connected/);
      world.parley.app.get(VisitorFeed).disconnect(world.tenant.id);
      await client.prints(/connected[^]*connected/);
    },
  },
  {
    page: 'docs/reference/webhooks.md',
    async run(world) {
      const receiver = await Receiver.start();
      const { body: webhook } = await world.tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
      await world.say('hello');
      const path = `/webhooks/${webhook.id}/deliveries`;
      const { body } = await eventually(
        () => world.tenant.admin.get(path),
        ({ body: { deliveries } }) =>
          deliveries.length > 0 && deliveries.every((each: any) => each.status === 'delivered'),
      );
      const ids = `webhook=${webhook.id}\ndelivery=${body.deliveries[0].id}\n`;
      const output = await world.shell(`${prepareAdmin(world)}${ids}${world.take('redeliver')}`);
      expect(output).toMatch(/"payload":/);
      expect(output).toMatch(/"count":0/);
      await receiver.close();
    },
  },
  {
    page: 'docs/inside/rooms/chats.md',
    async run(world) {
      const [functions, claim, refused] = ['read -r LINK', 'claim claim', 'Me too'].map((has) => world.take(has));
      const output = await world.shell(`${functions}${claim}${refused}`, { input: await linkOf(world), problems: 1 });
      const owners = Array.from(output.matchAll(/^"owner":"(\w+)"/gm), ([, owner]) => owner);
      expect(owners).toEqual(['AGENT', 'AGENT', 'NOBODY', 'AGENT']);
      expect(output).toMatch(/"code":"not_owner"/);
    },
  },
  {
    page: 'docs/inside/rooms/handoff.md',
    async run(world) {
      const [transfer, back] = [world.take('Wants a person'), world.take('/return')];
      const output = await world.shell(`${signInFunctions()}${transfer}${back}`, { input: await linkOf(world) });
      expect(new Set(output.match(/"id":"hof_\w+"/g)).size).toBe(1);
      expect(output).toMatch(/"content":"Chat transferred by bot"/);
    },
  },
  {
    page: 'docs/inside/rooms/live.md',
    async run(world) {
      const [follow, typing, message] = ['chat:follow', 'Let me see', 'Here it is'].map((has) => world.take(has));
      const output = await world.shell(`${signInFunctions()}${follow}${typing}${message}`, {
        input: await linkOf(world),
      });
      expect(output).toMatch(/42\/agent,\["inbox:stale"[^]*\["typing",[^]*Let me see[^]*\["message",/);
    },
  },
  {
    page: 'docs/inside/rooms/messages.md',
    async run(world) {
      const [functions, twice, parallel] = ['bot()', 'Idempotency-Key', 'seq 20'].map((has) => world.take(has));
      const output = await world.shell(`${functions}${twice}${parallel}`);
      expect(output).toMatch(/^idempotent-replayed: true/im);
      expect((await world.messages()).length).toBe(21);
    },
  },
  {
    page: 'docs/inside/rooms/outbox.md',
    async run(world) {
      const samples = ['bot()', 'senderTypes', 'for poll in', 'wait=20'].map((has) => world.take(has));
      const output = await world.shell(samples.join(''));
      const [first, second] = output.matchAll(/"id":"evt_\w+"/g);
      expect(first![0]).toBe(second![0]);
      expect(output).toMatch(/"events":\[\][^]*"content":"Another one"/);
    },
  },
];

/** Whether the service has the file of a `script` element. */
async function statusOfWidget({ parley }: World, html: string): Promise<number> {
  const path = new URL(/src="([^"]+)"/.exec(html)![1]!).pathname;
  return (await fetch(`${parley.url}${path}`)).status;
}
