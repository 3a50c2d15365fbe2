import type { EntityManager } from 'typeorm';
import type { BotNote } from '../../chats/model/chat.entity.js';
import { TAGS_COLUMN } from '../../chats/reading/tags-sql.js';

/** The most hand-overs whose summaries are read. */
const MAX_SUMMARIES = 10;

const FIND_SUMMARIES = `
  SELECT summary AS text, by_name AS "by" FROM handoffs
  WHERE organization_id = $1 AND chat_id = $2 AND summary IS NOT NULL
  ORDER BY id DESC LIMIT ${MAX_SUMMARIES}`;
const FIND_CHAT = `
  SELECT c.bot_note AS note, c.bot_note_at AS "notedAt", ${TAGS_COLUMN} FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;

/** What colleagues and bots wrote about a chat. */
export interface ChatNotes {
  /** Of the newest 10 hand-overs with one, the oldest first. */
  summaries: { by: string | null; text: string }[];
  /** The newest one to the bot, and when the bot got the chat. */
  toBot: (BotNote & { at: Date }) | null;
}

export async function findNotes(manager: EntityManager, organizationId: string, chatId: string): Promise<ChatNotes> {
  const summaries: ChatNotes['summaries'] = await manager.query(FIND_SUMMARIES, [organizationId, chatId]);
  const { note = null, notedAt = null } = (await findChat(manager, organizationId, chatId)) ?? {};
  return { summaries: summaries.toReversed(), toBot: note && notedAt && { ...note, at: notedAt } };
}

/** The names of a chat's tags. */
export async function findTags(manager: EntityManager, organizationId: string, chatId: string): Promise<string[]> {
  return (await findChat(manager, organizationId, chatId))?.tags ?? [];
}

async function findChat(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<{ note: BotNote | null; notedAt: Date | null; tags: string[] | null } | undefined> {
  const [chat] = await manager.query(FIND_CHAT, [organizationId, chatId]);
  return chat;
}
