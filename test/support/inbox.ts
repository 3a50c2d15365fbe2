import type { Parley, Tenant } from './parley.js';

/** The chat columns that a test writes directly. */
export interface ChatColumns {
  status?: string;
  group_id?: string;
  visitor_id?: string;
  agent_id?: string | null;
  last_agent_id?: string | null;
  queued_at?: string | null;
  status_changed_at?: string;
  created_at?: string;
  last_message_at?: string | null;
  message_count?: number;
  last_visitor_seq?: number;
  waiting_since?: string | null;
  assigned_at?: string | null;
  agent_replied_at?: string | null;
}

/** Creates a chat, and writes its state by SQL, so that a test of agents' lists has exact times. */
export async function makeChat(parley: Parley, tenant: Tenant, columns: ChatColumns = {}): Promise<string> {
  const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201);
  await setChat(parley, chat.id, columns);
  return chat.id;
}

export async function setChat(parley: Parley, chatId: string, columns: ChatColumns): Promise<void> {
  const names = Object.keys(columns);
  if (names.length === 0) return;
  const changes = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
  await parley.query(`UPDATE chats SET ${changes} WHERE id = $1`, [chatId, ...Object.values(columns)]);
}

/** A time of a day in 2026, to the minute. */
export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 15, 8, minute)).toISOString();
