import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ConnectedBot } from './support/model.js';

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
