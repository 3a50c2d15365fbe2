import { TurnRetention } from '../../src/bot-connections/engine/turn-retention.js';
import type { Parley } from '../support/parley.js';
import { eventually } from '../support/eventually.js';
import { ScriptedBot } from './support/script.js';
import { call, ConnectedBot, says, STOP, stream, text } from './support/model.js';

/** A connected bot answers, calls tools, fails, is interrupted, changed, and deleted, and its old turns are removed. */
export async function exerciseBotConnections(parley: Parley): Promise<void> {
  const bot = await ConnectedBot.start(parley, { tries: 2, onNewMessage: 'interrupt' });
  const answers = [
    (_: unknown, response: any) => void stream(response).end(text('Half')),
    says(call('unknown', {})),
    says(text('Hello!'), call('offer_choices', { text: 'Sure?', choices: [{ label: 'Yes' }] })),
  ];
  bot.model.become((received, response) => answers.shift()!(received, response));
  await bot.say('Hi');
  await bot.ended(1);
  bot.model.become((_, response) => void stream(response).write(text('Never')));
  await bot.say('One');
  await bot.model.count(4);
  await eventually(
    () => bot.turns('?status=RUNNING'),
    ({ length }) => length === 1,
  );
  await parley.query(`UPDATE bot_turns SET leased_until = now() - interval '1 s' WHERE organization_id = $1`, [
    bot.tenant.id,
  ]);
  bot.model.become((_, response) => void stream(response).end(text('Two.') + STOP));
  await bot.say('Two');
  const [turn] = await bot.ended(3);
  await bot.tenant.admin.get(`/bots/${bot.tenant.botId}/turns/${turn.id}`).expect(200);
  const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
  await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
  await ada.client.post(`/chats/${bot.tenant.chatId}/return`, { note: 'A friend of mine' }).expect(200);
  const [group] = (await bot.tenant.admin.get('/groups').expect(200)).body.groups;
  await bot.connect({
    collectFor: 3_000,
    dailyTokens: 1_000_000,
    share: ['notes', 'visitor', 'files'],
    targetGroupId: group.id,
    failure: { sentence: 'Sorry' },
  });
  bot.model.become((_, response) => void response.writeHead(500).end());
  await bot.say('Three');
  await bot.say('Four');
  await bot.ended(4);
  await parley.query(
    `INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, created_at)
      VALUES ($1, 'trn_removed', $2, 'cht_removed', 'WAITING', 1, 1, now(), now())`,
    [bot.tenant.id, bot.tenant.botId],
  );
  await bot.ended(5);
  await bot.tenant.admin.get(bot.path).expect(200);
  await bot.tenant.admin.get(`/bots/${bot.tenant.botId}/usage`).expect(200);
  await bot.tenant.admin.post(`${bot.path}/test`, {}).expect(200);
  await bot.tenant.admin.post(`${bot.path}/preview`, { chatId: bot.tenant.chatId }).expect(200);
  await bot.tenant.admin.patch(bot.path, { url: `http://localhost.invalid:${bot.model.port}/v1`, key: '' }).expect(200);
  await bot.connect({ kind: 'n8n' });
  await bot.tenant.admin.post(`${bot.path}/rotate-secret`, {}).expect(200);
  await bot.tenant.admin.patch(bot.path, { isEnabled: false }).expect(200);
  await bot.tenant.admin.delete(bot.path).expect(204);
  await parley.app.get(TurnRetention).removeExpired();
  await exerciseReturns(parley);
  await exerciseAnswers(parley);
  await bot.close();
  await exerciseForgetting(parley);
  await exerciseScript(parley);
}

/** The visitor tries again, and stops the answer. */
async function exerciseAnswers(parley: Parley): Promise<void> {
  const bot = await ConnectedBot.start(parley);
  const path = `/chats/${bot.tenant.chatId}/answer`;
  const visitor = parley.visitor(bot.tenant.visitorToken);
  await bot.say('Hi');
  await bot.ended(1);
  bot.model.become((_, response) => void stream(response).write(text('Half')));
  await visitor.post(`${path}/retry`, {}).expect(202);
  await bot.model.count(2);
  await visitor.post(`${path}/stop`, {}).expect(200);
  await bot.ended(2);
  await bot.close();
}

/** A chat comes back while a turn waits, and once more because no agent takes it. */
async function exerciseReturns(parley: Parley): Promise<void> {
  const bot = await ConnectedBot.start(parley, { collectFor: 10_000 });
  const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
  await bot.say('Hi');
  await eventually(
    () => bot.turns(),
    ({ length }) => length === 1,
  );
  await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
  await bot.connect();
  await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
  await bot.ended(2);
  const wait = { maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' };
  await bot.tenant.bot.post('/transfer', { chatId: bot.tenant.chatId, ...wait }).expect(200);
  await bot.say('Is anyone here?');
  await bot.ended(3);
  await bot.close();
}

/** A scripted bot asks for an address, and says that it's no AI. */
async function exerciseScript(parley: Parley): Promise<void> {
  const next = { action: 'close' };
  const script = { steps: [{ id: 'email', text: 'Your e-mail address?', ask: 'email', next }] };
  const bot = await ScriptedBot.start(parley, { script });
  await parley.query('UPDATE visitors SET email = NULL WHERE organization_id = $1', [bot.tenant.id]);
  await bot.ask('Hi');
  await bot.ask('vera@example.org');
  await bot.tenant.admin.patch(`/bots/${bot.tenant.botId}`, { isAi: false }).expect(200);
}

/** The conversation of an erased chat is removed from its endpoint. */
async function exerciseForgetting(parley: Parley): Promise<void> {
  const bot = await ConnectedBot.start(parley, { kind: 'dify' });
  const [said, ended] = [{ event: 'message', conversation_id: 'c', answer: 'Hello!' }, { event: 'message_end' }];
  const answer = [said, ended].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  bot.model.become((_, response) => void stream(response).end(answer));
  await bot.say('Hi');
  await bot.ended(1);
  await bot.tenant.admin.delete(`/visitors/${bot.tenant.visitorId}`);
  const rows = () => parley.query('SELECT FROM conversation_removals WHERE organization_id = $1', [bot.tenant.id]);
  await bot.model.until((all) => all.some(({ path }) => path === '/v1/conversations/c'));
  await eventually(rows, ({ length }) => length === 0);
  await bot.close();
}
