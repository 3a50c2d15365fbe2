import pg from 'pg';
import { fetchPages } from '../copy/organization-copy.queries.js';
import { INCOMING, OUTGOING, TEMPLATE } from './chatwoot.js';
import type { Author, Conversation, Said, Source } from './conversation.js';
import { withFiles } from './conversation.js';
import { refused } from './read-lines.js';

const TIMEOUT_MS = 10_000;
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const ACCOUNTS = 'SELECT id::text, name FROM accounts ORDER BY id LIMIT 20';

// Chatwoot's times have no zone: they are in UTC.
const millis = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

const conversationsOf = (account: string) => `
  SELECT c.id::text, (${millis('c.created_at')})::text, c.cached_label_list, p.id::text, p.name, p.email, p.phone_number, p.identifier
  FROM conversations c JOIN contacts p ON p.id = c.contact_id WHERE c.account_id = ${account} ORDER BY c.id`;

const MESSAGES = `
  SELECT m.id::text, m.conversation_id::text AS "conversationId", m.message_type AS type, m.private AS "isPrivate", m.content,
    ${millis('m.created_at')} AS at, m.sender_type AS "senderType", m.sender_id::text AS "senderId",
    coalesce(nullif(u.display_name, ''), u.name, b.name) AS "senderName", u.email,
    ARRAY(
      SELECT s.filename FROM attachments a
      JOIN active_storage_attachments l ON l.record_type = 'Attachment' AND l.record_id = a.id AND l.name = 'file'
      JOIN active_storage_blobs s ON s.id = l.blob_id WHERE a.message_id = m.id ORDER BY a.id
    )::text[] AS files
  FROM messages m
  LEFT JOIN users u ON m.sender_type = 'User' AND u.id = m.sender_id
  LEFT JOIN agent_bots b ON m.sender_type = 'AgentBot' AND b.id = m.sender_id
  WHERE m.conversation_id = ANY ($1::int[]) AND m.message_type IN (${[INCOMING, OUTGOING, TEMPLATE].join(', ')})
  ORDER BY m.created_at, m.id`;

interface MessageRow {
  id: string;
  conversationId: string;
  type: number;
  isPrivate: boolean;
  content: string | null;
  at: number;
  senderType: string | null;
  senderId: string | null;
  senderName: string | null;
  email: string | null;
  files: string[];
}

/** The conversations of an account in a database into which a dump of Chatwoot's was restored. */
export class ChatwootDatabase implements Source {
  readonly name = 'chatwoot';

  private constructor(
    private readonly client: pg.Client,
    private readonly account: string,
  ) {}

  /** Sees one moment of the database. @throws CliError unless there's one account, or the named one */
  static async open(url: string, account: string | undefined): Promise<ChatwootDatabase> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'parley-import',
      connectionTimeoutMillis: TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(BEGIN);
      return new ChatwootDatabase(client, await findAccount(client, account));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async *conversations(): AsyncGenerator<Conversation> {
    for await (const rows of fetchPages(this.client, conversationsOf(this.account))) {
      const said = await this.saidIn(rows.map(([id]) => id!));
      for (const [id, at, labels, contact, name, email, phone, identifier] of rows) {
        yield {
          id: id!,
          createdAt: new Date(Number(at)),
          labels:
            labels
              ?.split(',')
              .map((label) => label.trim())
              .filter(Boolean) ?? [],
          said: said.get(id!) ?? [],
          person: {
            id: contact!,
            externalId: identifier ?? undefined,
            name: name ?? undefined,
            email: email ?? undefined,
            phone: phone ?? undefined,
          },
        };
      }
    }
  }

  async end(): Promise<void> {
    await this.client.end();
  }

  private async saidIn(ids: readonly string[]): Promise<Map<string, Said[]>> {
    const { rows } = await this.client.query<MessageRow>(MESSAGES, [ids]);
    const said = new Map<string, Said[]>();
    for (const row of rows) {
      const text = withFiles(
        row.content ?? '',
        row.files.map((name) => ({ name })),
      );
      if (text === '') continue;
      const one = { id: row.id, at: new Date(row.at), author: authorOf(row), text, isNote: row.isPrivate };
      const before = said.get(row.conversationId);
      if (before) before.push(one);
      else said.set(row.conversationId, [one]);
    }
    return said;
  }
}

function authorOf({ type, senderType, senderId, senderName, email }: MessageRow): Author {
  const who = { id: senderId ?? 'none', name: senderName ?? undefined };
  if (type === INCOMING) return { type: 'VISITOR', ...who };
  return senderType === 'User' ? { type: 'AGENT', ...who, email: email ?? undefined } : { type: 'BOT', ...who };
}

async function findAccount(client: pg.Client, wanted: string | undefined): Promise<string> {
  const { rows } = await client.query<{ id: string; name: string }>(ACCOUNTS);
  if (wanted !== undefined && rows.some(({ id }) => id === wanted)) return wanted;
  const names = rows.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (wanted !== undefined) throw refused(`Chatwoot's database has no account ${wanted}: it has ${names}`);
  if (rows.length === 1) return rows[0]!.id;
  throw refused(`Chatwoot's database has several accounts: name one with --account: ${names}`);
}
