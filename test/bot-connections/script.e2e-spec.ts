import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import { Receiver } from '../support/receiver.js';
import { says, text } from './support/model.js';
import { ScriptedBot, SHOP } from './support/script.js';

describe('a bot that follows a script', () => {
  let parley: Parley;
  let bot: ScriptedBot;
  let defaultGroupId: string;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ScriptedBot.start(parley);
    defaultGroupId = await defaultGroupOf(bot.tenant);
  });

  it('answers the first message with the first step and its choices', async () => {
    expect(await bot.ask('Hello')).toEqual(['BOT: What is it about?']);
    expect(await bot.offer()).toMatchObject({
      type: 'QUICK_REPLY',
      metadata: { options: SHOP.steps[0]!.choices!.map(({ label }) => ({ label, value: label })) },
    });
    const [turn] = await bot.turns();
    expect(turn).toMatchObject({ status: 'DONE', code: null, runs: [{ outcome: 'DONE', httpStatus: null, bytes: 0 }] });
  });

  it('follows a choice that is clicked', async () => {
    await bot.ask('Hello');
    expect(await bot.choose('Opening hours')).toEqual(['BOT: We are **open** from 9 to 5.']);
  });

  it.each(['  opening   HOURS ', 'Öpening hours!', 'opening hours'])(
    'matches the typed words %j to a choice by its label',
    async (words) => {
      await bot.ask('Hello');
      expect(await bot.ask(words)).toEqual(['BOT: We are **open** from 9 to 5.']);
    },
  );

  it('matches the first message too, so that a suggestion of the widget goes straight to its step', async () => {
    expect(await bot.ask('Opening hours')).toEqual(['BOT: We are **open** from 9 to 5.']);
  });

  it('matches keywords as whole words', async () => {
    expect(await bot.ask('Until when?')).toEqual(['BOT: We are **open** from 9 to 5.']);
    expect(await bot.ask('Whenever')).toEqual([expect.stringMatching(/^BOT: Sorry/)]);
  });

  it('asks a question, then hands over with what was chosen', async () => {
    await bot.ask('Hello');
    expect(await bot.choose('My order')).toEqual(['BOT: What is its number?']);
    expect(await bot.ask('4711')).toEqual(['BOT: A colleague will look.']);
    const chat = await bot.chat();
    expect([chat.owner, chat.group.id]).toEqual(['QUEUE', defaultGroupId]);
    expect(await bot.turns()).toMatchObject([{ status: 'HANDED_OVER' }, { status: 'DONE' }, { status: 'DONE' }]);
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    const { body } = await ada.client.get(`/chats/${bot.tenant.chatId}`).expect(200);
    expect(body.handoff.summary).toBe('My order');
  });

  it('closes the chat, and starts again when the visitor comes back', async () => {
    await bot.ask('Hello');
    expect(await bot.choose('Nothing more')).toEqual(['BOT: Bye.']);
    expect((await bot.chat()).owner).toBe('NOBODY');
    expect(await bot.ask('One more thing')).toEqual(['BOT: What is it about?']);
  });

  it('says after words it does not know that it did not understand, with the choices, then hands over', async () => {
    await bot.ask('Hello');
    expect(await bot.ask('Banana')).toEqual([expect.stringMatching(/^BOT: Sorry/)]);
    expect(await bot.labels()).toEqual(['Opening hours', 'My order', 'Nothing more']);
    expect((await bot.chat()).owner).toBe('BOT');
    expect(await bot.ask('Banana!')).toEqual([]);
    expect((await bot.chat()).owner).toBe('QUEUE');
  });

  it('forgets misses once it understands, and has its own fallback', async () => {
    const { body: group } = await bot.tenant.admin.post('/groups', { name: 'Support' }).expect(201);
    await bot.connect({ script: { ...SHOP, fallback: { text: 'Pardon?', misses: 3, groupId: group.id } } });
    await bot.ask('Hello');
    for (const words of ['Banana', 'Apple']) expect(await bot.ask(words)).toEqual(['BOT: Pardon?']);
    expect(await bot.ask('Opening hours')).toEqual(['BOT: We are **open** from 9 to 5.']);
    for (const words of ['Banana', 'Apple']) expect(await bot.ask(words)).toEqual(['BOT: Pardon?']);
    expect(await bot.ask('Cherry')).toEqual([]);
    expect(await bot.chat()).toMatchObject({ owner: 'QUEUE', group: { id: group.id } });
  });

  it('hands over to the group of a choice, and to the default group once that is deleted', async () => {
    const { body: group } = await bot.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const next = { action: 'hand_over', groupId: group.id };
    await bot.connect({ script: { steps: [{ id: 'a', text: 'Hi', choices: [{ label: 'Buy', next }] }] } });
    await bot.ask('Hello');
    expect(await bot.choose('Buy')).toEqual([]);
    expect(await bot.chat()).toMatchObject({ owner: 'QUEUE', group: { id: group.id } });
    await bot.tenant.admin.delete(`/groups/${group.id}`).expect(204);
    await bot.tenant.admin.patch(`/chats/${bot.tenant.chatId}`, { status: 'ACTIVE' }).expect(200);
    await eventually(
      () => bot.ended(),
      (count) => count === 3,
    );
    expect((await bot.said()).at(-1)).toBe('BOT: Hi');
    await bot.choose('Buy');
    expect(await bot.chat()).toMatchObject({ owner: 'QUEUE', group: { id: defaultGroupId } });
  });

  it('writes as a bot that is no AI, unless its bot is set to be one afterwards', async () => {
    await bot.ask('Hello');
    expect((await bot.offer()).sender).toMatchObject({ type: 'BOT', isAi: false });
    await bot.tenant.admin.patch(`/bots/${bot.tenant.botId}`, { isAi: true }).expect(200);
    await bot.tenant.admin.patch(bot.path, { collectFor: 1 }).expect(200);
    await bot.ask('Banana');
    expect((await bot.offer()).sender).toMatchObject({ type: 'BOT', isAi: true });
  });

  it('answers two simultaneous messages in one turn, by the choice among them', async () => {
    await bot.ask('Hello');
    await bot.connect({ script: SHOP, collectFor: 3_000 });
    await Promise.all([bot.send('Hmm'), bot.send('opening hours')]);
    await eventually(
      () => bot.ended(),
      (count) => count === 2,
    );
    expect((await bot.said()).filter((text) => text.startsWith('BOT'))).toEqual([
      'BOT: What is it about?',
      'BOT: We are **open** from 9 to 5.',
    ]);
  });

  it('keeps its place when an agent has the chat in between, and begins again once the agent has written', async () => {
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    const claim = () => ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
    const giveBack = () => ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
    await bot.ask('Hello');
    await bot.choose('My order');
    await claim();
    await giveBack();
    expect(await bot.ask('4711')).toEqual(['BOT: A colleague will look.']);
    await claim();
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'It is on its way' }).expect(201);
    await giveBack();
    expect(await bot.ask('Thanks')).toEqual(['BOT: What is it about?']);
    await bot.choose('My order');
    await claim();
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'Which one?' }).expect(201);
    await giveBack();
    expect(await bot.ask('opening hours')).toEqual(['BOT: We are **open** from 9 to 5.']);
  });

  it('offers its choices again after no agent took the chat that it handed over', async () => {
    await bot.tenant.admin.patch(`/groups/${defaultGroupId}`, { maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' });
    await bot.ask('Hello');
    await bot.choose('My order');
    await bot.ask('4711');
    await eventually(
      () => bot.chat(),
      ({ owner }) => owner === 'BOT',
    );
    expect((await bot.messages()).at(-1).metadata).toMatchObject({ event: 'chat.unanswered' });
    expect(await bot.ask('And now?')).toEqual(['BOT: What is it about?']);
  });

  it('begins again when the step of a chat was removed', async () => {
    await bot.ask('Hello');
    await bot.choose('My order');
    await bot.connect({ script: { steps: [{ id: 'new', text: 'Something new?' }] } });
    expect(await bot.ask('4711')).toEqual(['BOT: Something new?']);
  });

  it('takes a click on a choice that has moved to another step', async () => {
    await bot.ask('Hello');
    await bot.connect({ script: { steps: [{ id: 'new', text: 'New?' }, ...SHOP.steps] } });
    expect(await bot.choose('Opening hours')).toEqual(['BOT: We are **open** from 9 to 5.']);
  });

  it('asks again if the choice that was clicked is no longer in the script', async () => {
    const [start, , , , bye] = SHOP.steps;
    await bot.ask('Hello');
    const changed = { ...start, text: 'Again?', choices: start!.choices!.slice(2) };
    await bot.connect({ script: { steps: [changed, bye] } });
    expect(await bot.choose('My order')).toEqual(['BOT: Again?']);
    expect(await bot.labels()).toEqual(['Nothing more']);
  });

  it('asks for a name and an address that are not known, and keeps them', async () => {
    const steps = [
      { id: 'name', text: 'Your name?', ask: 'name', next: { action: 'step', step: 'email' } },
      { id: 'email', text: 'Your e-mail address?', ask: 'email', next: { action: 'step', step: 'done' } },
      { id: 'done', text: 'Thank you.' },
    ];
    await bot.connect({ script: { steps } });
    expect(await bot.ask('Hello')).toEqual(['BOT: Thank you.']);
    await parley.query('UPDATE visitors SET name = NULL, email = NULL WHERE id = $1', [bot.tenant.visitorId]);
    await bot.connect({ script: { steps } });
    await bot.tenant.admin.patch(`/chats/${bot.tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await bot.connect({
      script: {
        steps: steps.map((step) => ({
          ...step,
          id: `${step.id}2`,
          ...(step.next && { next: { ...step.next, step: `${step.next.step}2` } }),
        })),
      },
    });
    expect(await bot.ask('Hello')).toEqual(['BOT: Your name?']);
    expect(await bot.ask('  Vera   Vogt ')).toEqual(['BOT: Your e-mail address?']);
    expect(await bot.ask('vera at example')).toEqual([expect.stringMatching(/^BOT: Sorry/)]);
    expect(await bot.ask('It is vera@example.org.')).toEqual(['BOT: Thank you.']);
    const { body } = await bot.tenant.admin.get(`/visitors/${bot.tenant.visitorId}`).expect(200);
    expect(body).toMatchObject({ name: 'Vera Vogt', email: 'vera@example.org', isVerified: false });
  });

  it('says the built-in script in the language of the widget', async () => {
    await bot.connect();
    await bot.tenant.admin.patch('/widget', { locale: 'de-AT' }).expect(200);
    expect(await bot.ask('Hallo')).toEqual(['BOT: Worum geht es?']);
    expect(await bot.ask('Quatsch')).toEqual([expect.stringMatching(/^BOT: Das habe ich leider nicht verstanden/)]);
    await bot.choose('Mit einem Menschen sprechen');
    expect((await bot.chat()).owner).toBe('QUEUE');
  });

  it.each([
    ['fr-CA', 'Comment pouvons-nous vous aider ?'],
    ['ja', 'どのようなご用件でしょうか？'],
    ['fi', 'What can we help you with?'],
  ])('says the built-in script in the language that the chat began in: %s', async (locale, begin) => {
    await bot.connect();
    await bot.tenant.admin.patch('/widget', { locale: 'de' }).expect(200);
    const { body } = await parley.beginSession(bot.tenant).expect(201);
    const visitor = await parley.connectVisitor(body.token);
    const { chat } = await visitor.ask('chat:open', { locale });
    await visitor.ask('message:send', { chatId: chat.id, content: '?' });
    await visitor.until(() => visitor.all('message').some(({ sender }) => sender.type === 'BOT'));
    expect(visitor.all('message').at(-1)).toMatchObject({ type: 'QUICK_REPLY', content: begin });
  });

  it('pauses, and is replaced by a connection to an address', async () => {
    await bot.tenant.admin.patch(bot.path, { isEnabled: false }).expect(200);
    expect(await bot.ask('Hello')).toEqual([]);
    expect((await bot.chat()).owner).toBe('QUEUE');
    const address = { kind: 'agui', url: 'https://agent.example' };
    await bot.tenant.admin.put(bot.path, address).expect(200);
    const { body } = await bot.tenant.admin.get(`/bots/${bot.tenant.botId}`).expect(200);
    expect(body).toMatchObject({ isAi: true, hasConnection: true });
    await bot.connect();
    const { body: connection } = await bot.tenant.admin.get(bot.path).expect(200);
    expect(connection).toMatchObject({ kind: 'script', script: null, hasKey: false, headerNames: [] });
    expect(connection).not.toHaveProperty('url');
    expect(connection).not.toHaveProperty('tries');
  });

  it('answers until another bot of the organization is connected to an address, and again after that', async () => {
    const { body: other } = await bot.tenant.admin.post('/bots', { name: 'Agent' }).expect(201);
    const model = await Receiver.start(says(text('I am an agent.')));
    const connection = { kind: 'openai', url: `http://127.0.0.1:${model.port}/v1`, model: 'm-1', collectFor: 0 };
    await bot.tenant.admin.put(`/bots/${other.id}/connection`, connection).expect(200);
    await bot.send('Hello');
    await eventually(
      () => bot.said(),
      ({ length }) => length === 2,
    );
    expect((await bot.said()).at(-1)).toBe('BOT: I am an agent.');
    await bot.tenant.admin.patch(`/bots/${other.id}/connection`, { isEnabled: false }).expect(200);
    expect(await bot.ask('Hello')).toEqual(['BOT: What is it about?']);
    await model.close();
  });

  it('leaves its state in the export, and loses it with the visitor', async () => {
    await bot.ask('Hello');
    const { body } = await bot.tenant.admin.get(`/visitors/${bot.tenant.visitorId}/export`).expect(200);
    expect(body.chats[0].transcript[0].content).toMatchObject({ state: { step: 'start', misses: 0, seq: 1 } });
    expect([202, 204]).toContain((await bot.tenant.admin.delete(`/visitors/${bot.tenant.visitorId}`)).status);
    await eventually(
      () => parley.query('SELECT FROM bot_transcripts WHERE organization_id = $1', [bot.tenant.id]),
      ({ length }) => length === 0,
    );
  });

  it('answers a test before it is saved', async () => {
    const connection = { kind: 'script', script: SHOP };
    const test = { message: 'opening hours', connection };
    const { body } = await bot.tenant.admin.post(`${bot.path}/test`, test).expect(200);
    expect(body).toMatchObject({ ok: true, text: 'We are **open** from 9 to 5.', error: null });
    const { body: offered } = await bot.tenant.admin.post(`${bot.path}/test`, { connection }).expect(200);
    expect(offered).toMatchObject({ ok: true, text: 'What is it about?', events: { text: 1, tool: 1 } });
    expect(await bot.turns()).toEqual([]);
    const chat = { chatId: bot.tenant.chatId };
    expect((await bot.tenant.admin.post(`${bot.path}/preview`, chat).expect(409)).body.code).toBe('conflict');
  });
});
