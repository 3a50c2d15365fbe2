import { DataRemoval } from '../../src/privacy/data-removal.js';
import type { Parley } from './parley.js';

/** Ends the passes of removal that a node begins by itself, so that only a test's own ones remove something. */
export function stopOwnPasses(...nodes: Parley[]): void {
  for (const { app } of nodes) for (const job of app.get(DataRemoval)['jobs']) clearTimeout(job['timer']);
}

/** The tables that contain a text in any column of any row, even as bytes. */
export async function findTraces(parley: Parley, ...needles: string[]): Promise<string[]> {
  const tables = await parley.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const traces: string[] = [];
  for (const needle of needles) {
    const asBytes = Buffer.from(needle).toString('hex');
    for (const { name } of tables) {
      const rows = await parley.query(
        `SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`,
        [needle, asBytes],
      );
      // The audit log keeps that a visitor was erased, by the id alone.
      // And the log of the installation keeps that an organization was removed.
      const isAudit =
        (name === 'audit_entries' && needle.startsWith('vis_')) ||
        (name === 'installation_entries' && needle.startsWith('org_'));
      // A removed chat is a change that the index reads some seconds later.
      const isChange = ['chat_changes', 'change_readers'].includes(name) && needle.startsWith('cht_');
      if (rows.length > 0 && !isAudit && !isChange) traces.push(`${needle} in ${name}`);
    }
  }
  return traces;
}

/** Adds this many messages to a chat by SQL. */
export async function fillChat(parley: Parley, organizationId: string, chatId: string, count: number): Promise<void> {
  await parley.query(
    `WITH chat AS (
      UPDATE chats SET message_count = message_count + $3, last_message_at = now() WHERE organization_id = $1 AND id = $2
      RETURNING message_count - $3 AS before, visitor_id
    )
    INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, created_at)
    SELECT $1, $2, before + n, 'msg_' || lpad(n::text, 6, '0') || right($2, 20), 'TEXT', 'said ' || n, 'VISITOR', visitor_id, now()
    FROM chat, generate_series(1, $3) n`,
    [organizationId, chatId, count],
  );
}

/** A chat's seqs, and its own counters. */
export async function readSeqs(parley: Parley, organizationId: string, chatId: string) {
  const rows = await parley.query<{ seq: number }>(
    'SELECT seq FROM messages WHERE organization_id = $1 AND chat_id = $2 ORDER BY seq',
    [organizationId, chatId],
  );
  const [chat] = await parley.query<{ messageCount: number }>(
    'SELECT message_count AS "messageCount" FROM chats WHERE organization_id = $1 AND id = $2',
    [organizationId, chatId],
  );
  return { seqs: rows.map(({ seq }) => seq), messageCount: chat?.messageCount ?? null };
}

/** 1, 2, 3 … count. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
