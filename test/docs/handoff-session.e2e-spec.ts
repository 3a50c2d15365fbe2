import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import type { VisitorSocket } from '../support/visitor.js';

const PAGE = fileURLToPath(new URL('../../docs/bots/handoff-session.md', import.meta.url));
const BLOCK = /```text\n([^]*?)```/;

/** The recorded traffic: time, sender, API, content. */
class Transcript {
  readonly lines: string[] = [];
  private readonly begin = performance.now();

  title(text: string): void {
    if (this.lines.length > 0) this.lines.push('');
    this.lines.push(`-- ${text}`);
  }

  /** @param at when it happened, in milliseconds of `performance.now()` */
  add(who: string, way: string, what: string, data?: object, at = performance.now()): void {
    const time = ((at - this.begin) / 1000).toFixed(3).padStart(6);
    const text = data === undefined ? what : `${what} ${JSON.stringify(data)}`;
    this.lines.push(`${time}  ${who.padEnd(8)} ${way.padEnd(9)} ${text}`);
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

/** The steps without what differs from run to run: times, and waiting times. */
const steps = (text: string) => text.replaceAll(/^ *\d+\.\d{3}/gm, 'time').replaceAll(/("waitedSeconds":)\d+/g, '$1n');

let parley: Parley;
let tenant: Tenant;
let receiver: Receiver;

beforeAll(async () => {
  parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  tenant = await parley.createTenant({ name: 'Shop' });
  receiver = await Receiver.start();
  await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
});
afterAll(async () => {
  await parley.stop();
  await receiver.close();
});

// UPDATE_DOCS=1 rewrites the page.
it('docs/bots/handoff-session.md shows a real session: from the bot to agents, back, and with no agent available', async () => {
  const transcript = new Transcript();
  await record(transcript);
  if (process.env.UPDATE_DOCS === '1') {
    const page = readFileSync(PAGE, 'utf8');
    writeFileSync(
      PAGE,
      page.replace(BLOCK, () => `\`\`\`text\n${transcript.text}\`\`\``),
    );
  }
  expect(steps(transcript.text)).toBe(steps(BLOCK.exec(readFileSync(PAGE, 'utf8'))![1]!));
});

async function record(transcript: Transcript): Promise<void> {
  const { bot, chatId } = tenant;
  const [{ id: groupId }] = (await bot.get('/groups').expect(200)).body;
  await tenant.admin.patch(`/groups/${groupId}`, { routing: 'OFFER' }).expect(200);
  const agents: Record<string, SignedInAgent> = {};
  const sockets: Record<string, VisitorSocket> = {};
  for (const name of ['Ada', 'Ben']) {
    agents[name] = await parley.signInAgent(tenant, { name, groupIds: [groupId] });
    sockets[name] = await parley.connectAgent(agents[name].token);
  }
  const vera = await parley.connectVisitor(tenant.visitorToken);
  await vera.ask('chat:open', { chatId });

  let heard = 0;
  const webhook = async (type: string, data: (event: any) => object): Promise<void> => {
    const found = () => receiver.received.findIndex(({ event }, index) => index >= heard && event.type === type);
    await receiver.until(() => found() >= 0);
    const { event, at } = receiver.received[found()]!;
    heard = found() + 1;
    transcript.add('bot', '<webhook', type, data(event.data), at);
  };
  const message = async (who: string, socket: VisitorSocket): Promise<void> => {
    const { content, sender } = await socket.next('message');
    transcript.add(who, '<socket', 'message', { from: sender.name ?? sender.type, content });
  };
  const chatOfVera = async (owner: string): Promise<void> => {
    for (;;) {
      const chat = await vera.next('chat');
      if (chat.owner !== owner) continue;
      const { assignedTo, queue } = chat;
      return transcript.add('Vera', '<socket', 'chat', { owner, assignedTo: assignedTo?.name ?? null, queue });
    }
  };
  const ask = async (who: string, path: string, body: object, show: (answer: any) => object) => {
    const client = who === 'bot' ? bot : agents[who]!.client;
    const shown = path.replaceAll(/(chats|offers)\/\w+/g, (_, name: string) => `${name}/{${name.slice(0, -1)}}`);
    transcript.add(who, 'REST>', `POST ${shown}`, { ...body, ...('chatId' in body && { chatId: '…' }) });
    const { status, body: answer } = await client.post(path, body);
    transcript.add(who, '<REST', String(status), status === 204 ? undefined : show(answer));
    expect(status).toBeLessThan(300);
  };
  const say = async (who: string, socket: VisitorSocket, content: string) => {
    transcript.add(who, 'socket>', 'message:send', { content });
    expect(await socket.ask('message:send', { chatId, content })).toMatchObject({ ok: true });
  };
  const offer = async (who: string): Promise<string> => {
    const { id, chat } = await sockets[who]!.next('offer');
    const { data } = await agents[who]!.client.get(`/chats/${chat.id}`).then(({ body }) => ({ data: body.handoff }));
    transcript.add(who, '<socket', 'offer', { from: chat.visitor.name, summary: data.summary });
    return id;
  };

  transcript.title('The bot answers, and hands the chat over');
  await say('Vera', vera, 'My parcel is broken. I want a refund.');
  await message('Vera', vera);
  await webhook('message.created', ({ message: { content }, chat }) => ({ content, owner: chat.owner }));
  const answerOf = ({ handoff }: any) => ({ availability: handoff.availability, position: handoff.position });
  const wish = { chatId, reason: 'Wants a refund', summary: 'Parcel broken, order 4711' };
  await ask('bot', '/transfer', wish, answerOf);
  await message('Vera', vera);
  await chatOfVera('QUEUE');
  await webhook('chat.transferred', ({ reason, chat }) => ({ reason, owner: chat.owner }));

  transcript.title('Ada is asked first, and declines; Ben is next, and accepts');
  await ask('Ada', `/offers/${await offer('Ada')}/decline`, {}, () => ({}));
  const { reason } = await sockets.Ada!.next('offer:ended');
  transcript.add('Ada', '<socket', 'offer:ended', { reason });
  await ask('Ben', `/offers/${await offer('Ben')}/accept`, {}, ({ owner, assignedTo }) => ({
    owner,
    assignedTo: assignedTo.name,
  }));
  await message('Vera', vera);
  await chatOfVera('AGENT');
  await webhook('chat.assigned', ({ agent, how, waitedSeconds }) => ({ agent: agent.name, how, waitedSeconds }));

  transcript.title('They talk');
  const ben = sockets.Ben!;
  await ben.until(() => ben.all('message').some(({ content }) => content === 'Ben joined the chat'));
  while ((await ben.next('message')).content !== 'Ben joined the chat');
  await say('Ben', ben, 'I am sorry! The refund is on its way.');
  await message('Vera', vera);
  await message('Ben', ben);
  await say('Vera', vera, 'Thank you. When will it be there?');
  await message('Ben', ben);
  await message('Vera', vera);

  transcript.title('Ben gives the chat back to the bot, with a note');
  await ask('Ben', `/chats/${chatId}/return`, { note: 'Refund made; tell the date' }, ({ owner }) => ({ owner }));
  await message('Vera', vera);
  await webhook('chat.returned', ({ by, note }) => ({ by: by.name, note }));
  await ask('bot', '/messages', { chatId, content: 'On Friday.', ifOwner: 'BOT' }, ({ id }) => ({ id: id && '…' }));
  await message('Vera', vera);

  transcript.title('The next time no agent accepts chats');
  for (const who of ['Ada', 'Ben']) {
    transcript.add(who, 'REST>', 'PUT /presence', { isAccepting: false });
    const { body } = await agents[who]!.client.put('/presence', { isAccepting: false }).expect(200);
    transcript.add(who, '<REST', '200', { presence: body.presence });
  }
  await say('Vera', vera, 'I want a person again.');
  await message('Vera', vera);
  const again = { chatId, reason: 'Asks for a person', maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' };
  await ask('bot', '/transfer', again, answerOf);
  await message('Vera', vera);
  await webhook('chat.transferred', ({ reason: why, chat }) => ({ reason: why, owner: chat.owner }));
  await webhook('chat.unanswered', (data) => ({
    availability: data.availability,
    waitedSeconds: data.waitedSeconds,
    // oxlint-disable-next-line unicorn/no-thenable -- the contract's name; the object becomes JSON
    then: data.then,
    owner: data.chat.owner,
  }));
  await message('Vera', vera);
  const sorry = 'Nobody is free at the moment. We will write to you tomorrow.';
  await ask('bot', '/messages', { chatId, content: sorry, ifOwner: 'BOT' }, ({ id }) => ({ id: id && '…' }));
  await message('Vera', vera);
}
