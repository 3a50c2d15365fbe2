import { PresenceService } from '../../src/agents/presence.service.js';
import type { Parley, Tenant } from '../support/parley.js';

const STORED_BY_ANOTHER_NODE = `
  WITH chat AS (
    UPDATE chats SET message_count = message_count + 1 WHERE organization_id = $1 AND id = $2
    RETURNING organization_id, id, message_count
  )
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
  SELECT organization_id, id, message_count, $3, 'TEXT', 'by another node', 'SYSTEM', now() FROM chat`;

/** A visitor uses each event of the socket, and gets a message that another node stored. */
export async function exerciseVisitorSockets(parley: Parley, { chatId, visitorToken, bot, id }: Tenant): Promise<void> {
  const visitor = await parley.connectVisitor(visitorToken);
  const { latestSeq } = await visitor.ask('chat:open', { chatId });
  await visitor.ask('message:send', { chatId, content: 'by socket', clientMessageId: 'socket' });
  await visitor.ask('sync', { chatId, afterSeq: latestSeq });
  await visitor.ask('typing', { chatId, isTyping: true, text: 'Hel' });
  await visitor.ask('read', { chatId, seq: 1 });
  await bot.post('/messages', { chatId, content: 'to the socket' }).expect(200);
  await parley.query(STORED_BY_ANOTHER_NODE, [id, chatId, `msg_${chatId}`]);
  await visitor.until(() => visitor.all('message').some(({ content }) => content === 'by another node'));
  visitor.close();
}

/** Agents connect and follow a chat, their node is presumed dead and recovers, and one of them disconnects. */
export async function exerciseAgentSockets(parley: Parley, tenant: Tenant): Promise<void> {
  const { id, client, token } = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  await client.put('/presence', { isAccepting: true }).expect(200);
  const [leaving, staying] = [await parley.connectAgent(token), await parley.connectAgent(token)];
  await staying.ask('chat:follow', { chatId: tenant.chatId });
  await staying.ask('view:watch', { view: 'OPEN' });
  await staying.ask('input', {});
  await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'for the row' }).expect(200);
  await staying.next('chat');
  // What other nodes do once they presume this one dead; in one statement, so that no heartbeat comes in between.
  await parley.query(
    `WITH node AS (UPDATE nodes SET seen_at = now() - interval '1 hour'), gone AS (DELETE FROM agent_connections) SELECT`,
  );
  const count = `SELECT FROM agent_connections WHERE agent_id = '${id}' AND closed_at IS`;
  await parley.untilRow(`${count} NULL`);
  leaving.close();
  await parley.untilRow(`${count} NOT NULL`);
  await parley.app.get(PresenceService).endSessions(tenant.id, id, ['ses_unknown']);
}
