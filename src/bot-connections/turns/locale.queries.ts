import type { EntityManager } from 'typeorm';

// The language that the widget recorded comes first, then the organization's choice, then what a page put into the chat's metadata.
const FIND = `
  SELECT ai_disclosure ->> 'locale' AS said, metadata ->> 'language' AS given FROM chats WHERE organization_id = $1 AND id = $2`;
const FIND_CHOSEN = `SELECT widget_settings ->> 'locale' AS locale FROM organizations WHERE id = $1`;

/** The BCP 47 tag of the language that the visitor of a chat reads; null if it's unknown. */
export async function findLocale(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<string | null> {
  const [chat]: { said: string | null; given: string | null }[] = await manager.query(FIND, [organizationId, chatId]);
  if (chat?.said) return chat.said;
  const [organization]: { locale: string | null }[] = await manager.query(FIND_CHOSEN, [organizationId]);
  return organization?.locale ?? chat?.given ?? null;
}
