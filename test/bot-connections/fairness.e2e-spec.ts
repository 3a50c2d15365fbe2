import { expect, it } from '@jest/globals';
import { MAX_RUNS, TurnEngine } from '../../src/bot-connections/engine/engine.service.js';
import { TurnBegin } from '../../src/bot-connections/engine/turn-begin.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ConnectedBot, says, text } from './support/model.js';

it('a bot whose turns begin slowly uses one database connection, and delays no other bot', async () => {
  const parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const [slow, other] = [await ConnectedBot.start(parley), await ConnectedBot.start(parley)];
  const chats = await Promise.all(
    Array.from({ length: 5 }, async () => (await slow.tenant.admin.post('/chats', {}).expect(201)).body),
  );
  for (const { id, visitorToken } of chats) await slow.say('Hi', visitorToken, id);
  await slow.ended(chats.length);
  const blocker = await parley.database.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM bot_connections WHERE organization_id = $1 FOR UPDATE', [slow.tenant.id]);
  await parley.query(
    `UPDATE bot_turns SET status = 'WAITING', ended_at = NULL, due_at = statement_timestamp() WHERE organization_id = $1`,
    [slow.tenant.id],
  );
  const waiting = () =>
    parley.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  await eventually(waiting, ({ length }) => length > 0);
  await other.say('Hi');
  await other.ended(1);
  expect(await waiting()).toHaveLength(1);
  await blocker.query('COMMIT');
  blocker.release();
  await slow.ended(chats.length);
  await Promise.all([slow.close(), other.close()]);
  await parley.stop();
});

it('a bot with many turns that wait for a free run keeps no other bot waiting', async () => {
  const parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const [slow, other] = [await ConnectedBot.start(parley, { maxRuns: 1 }), await ConnectedBot.start(parley)];
  const release = slow.holdAnswers(says(text('At last.')));
  await slow.say('Hi');
  const running = () => parley.query(`SELECT FROM bot_turns WHERE status = 'RUNNING'`);
  await eventually(running, ({ length }) => length === 1);
  await waitIn(parley, slow, 250);
  await other.say('Hi');
  await other.ended(1);
  const left = await parley.query(`SELECT FROM bot_turns WHERE organization_id = $1 AND status = 'WAITING'`, [
    slow.tenant.id,
  ]);
  expect(left).toHaveLength(250);
  release();
  await slow.ended(40);
  await Promise.all([slow.close(), other.close()]);
  await parley.stop();
});

it('a turn fails after 60 s without a free run, and the time when it waited for its chat or for Parley does not count', async () => {
  const parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const begin = parley.app.get(TurnBegin);
  const bot = await ConnectedBot.start(parley, { maxRuns: 1 });
  const { tenant } = bot;
  const release = bot.holdAnswers(says(text('At last.')));
  await bot.say('Hi');
  await eventually(
    () => parley.query(`SELECT FROM bot_turns WHERE status = 'RUNNING'`),
    ({ length }) => length === 1,
  );
  // The engine must not begin them before the test does.
  await parley.app.get(TurnEngine)['job'].stop();
  await waitIn(parley, bot, 2);
  const late = `UPDATE bot_turns SET due_at = statement_timestamp() - interval '61 s' WHERE organization_id = $1 AND status = 'WAITING'`;
  // The first chat has just had a turn.
  await parley.query(
    `INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, created_at, ended_at)
     SELECT organization_id, 'trn_w', bot_id, chat_id, 'DONE', 0, 0, created_at, created_at, statement_timestamp()
     FROM bot_turns WHERE organization_id = $1 AND id = 'trn_x1'`,
    [tenant.id],
  );
  await parley.query(late, [tenant.id]);
  const beginning = (id: string) => begin.begin({ organizationId: tenant.id, id }, true);
  begin.startedAt = performance.now();
  expect([await beginning('trn_x1'), await beginning('trn_x2')]).toEqual(['FULL', 'FULL']);
  begin.startedAt = performance.now() - 61_000;
  expect(await beginning('trn_x1')).toBe('FULL');
  expect(await beginning('trn_x2')).toMatchObject({ failure: { code: 'busy' } });
  release();
  await bot.close();
  await parley.stop();
});

it("an organization's runs leave room for another one's", async () => {
  const parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const [greedy, other] = [await ConnectedBot.start(parley, { maxRuns: 500 }), await ConnectedBot.start(parley)];
  const release = greedy.holdAnswers(says(text('At last.')));
  await waitIn(parley, greedy, 300);
  const count = async (status: string) =>
    (await parley.query('SELECT FROM bot_turns WHERE organization_id = $1 AND status = $2', [greedy.tenant.id, status]))
      .length;
  await eventually(
    () => count('RUNNING'),
    (running) => running === MAX_RUNS / 2,
  );
  await other.say('Hi');
  await other.ended(1);
  expect(await count('WAITING')).toBe(300 - MAX_RUNS / 2);
  release();
  await eventually(
    () => count('DONE'),
    (done) => done === 300,
  );
  await Promise.all([greedy.close(), other.close()]);
  await parley.stop();
});

/** Lets a message in each of many chats wait for the bot, since a second ago. */
async function waitIn(parley: Parley, { tenant: { id, chatId, visitorId, botId } }: ConnectedBot, count: number) {
  await parley.query(
    `WITH n AS (SELECT 'x' || n AS n FROM generate_series(1, $4) n), c AS (
      INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, last_visitor_seq, created_at,
        last_message_at)
      SELECT $1, 'cht_' || n.n, $3, o.group_id, 'ACTIVE', now(), 1, 1, now(), now() FROM n, chats o WHERE o.organization_id = $1 AND o.id = $2
    ), m AS (
      INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, created_at)
      SELECT $1, 'cht_' || n.n, 1, 'msg_' || n.n, 'TEXT', 'Hi', 'VISITOR', $3, now() FROM n)
    INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, created_at)
    SELECT $1, 'trn_' || n.n, $5, 'cht_' || n.n, 'WAITING', 1, 1, statement_timestamp() - interval '1 s', statement_timestamp() FROM n`,
    [id, chatId, visitorId, count, botId],
  );
}
