import pg from 'pg';
import { addressOf } from '../../platform/config/database-url.js';
import { fetchPages } from '../copy/organization-copy.queries.js';
import { CliError } from '../errors.js';
import { reasonOf } from '../service.js';
import { ACTIVITY, INCOMING, saidIn } from './chatwoot-message.js';
import type { Author, Conversation, Said, Source } from './conversation.js';
import { DAY_MS } from './fields.js';
import { refused } from './read-lines.js';
import type { ElsewhereFile } from './text.js';

const TIMEOUT_MS = 10_000;
/** Conversations whose messages are in memory: one may have thousands, each with a whole e-mail. */
const GROUP = 10;
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const ACCOUNTS = 'SELECT id::text, name FROM accounts ORDER BY id LIMIT 20';
const ACCOUNT = 'SELECT id::text FROM accounts WHERE id::text = $1';

// Chatwoot's times have no zone: they are in UTC.
const millis = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

// `cached_label_list` is empty in conversations that haven't changed since Chatwoot has the column. Contacts may be deleted.
const conversationsOf = (account: string) => `
  SELECT c.id::text, c.display_id::text, (${millis('c.created_at')})::text,
    coalesce((
      SELECT string_agg(t.name, ',' ORDER BY t.name) FROM taggings g JOIN tags t ON t.id = g.tag_id
      WHERE g.taggable_type = 'Conversation' AND g.taggable_id = c.id AND g.context = 'labels'
    ), c.cached_label_list),
    p.id::text, p.name, p.email, p.phone_number, p.identifier
  FROM conversations c LEFT JOIN contacts p ON p.id = c.contact_id WHERE c.account_id = ${account} ORDER BY c.id`;

/** The `file_type` of a place on a map. */
const LOCATION = 4;

const FILES = `
  SELECT coalesce(json_agg(json_build_object(
    'name', coalesce(s.filename, nullif(a.fallback_title, ''),
      CASE WHEN a.file_type = ${LOCATION} THEN concat(a.coordinates_lat, ', ', a.coordinates_long) END),
    'url', a.external_url
  ) ORDER BY a.id), '[]')
  FROM attachments a
  LEFT JOIN active_storage_attachments l ON l.record_type = 'Attachment' AND l.record_id = a.id AND l.name = 'file'
  LEFT JOIN active_storage_blobs s ON s.id = l.blob_id WHERE a.message_id = m.id`;

/** @param hasCaptain whether this release of Chatwoot has Captain, its own bot */
const messagesOf = (hasCaptain: boolean) => `
  SELECT m.id::text, m.conversation_id::text AS "conversationId", m.message_type AS type, m.private AS "isPrivate", m.content,
    ${millis('m.created_at')} AS at, m.sender_type AS "senderType", m.sender_id::text AS "senderId",
    coalesce(nullif(u.display_name, ''), u.name, b.name${hasCaptain ? ', k.name' : ''}) AS "senderName", u.email,
    m.content_attributes::text AS attributes, (${FILES}) AS files
  FROM messages m
  LEFT JOIN users u ON m.sender_type = 'User' AND u.id = m.sender_id
  LEFT JOIN agent_bots b ON m.sender_type = 'AgentBot' AND b.id = m.sender_id
  ${hasCaptain ? `LEFT JOIN captain_assistants k ON m.sender_type = 'Captain::Assistant' AND k.id = m.sender_id` : ''}
  WHERE m.conversation_id = ANY ($1::int[]) AND m.message_type <> ${ACTIVITY}
  ORDER BY m.created_at, m.id`;

const HAS_CAPTAIN = `SELECT to_regclass('captain_assistants') IS NOT NULL AS "hasCaptain"`;

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
  attributes: string | null;
  files: ElsewhereFile[];
}

/** The conversations of an account in a database into which a dump of Chatwoot's was restored. */
export class ChatwootDatabase implements Source {
  readonly name = 'chatwoot';

  private constructor(
    private readonly client: pg.Client,
    private readonly account: string,
    private readonly messages: string,
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
      const found = await findAccount(client, account);
      const { rows } = await client.query<{ hasCaptain: boolean }>(HAS_CAPTAIN);
      return new ChatwootDatabase(client, found, messagesOf(rows[0]!.hasCaptain));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error instanceof CliError
        ? error
        : refused(`Chatwoot's database (${addressOf(url)}) said: ${reasonOf(error)}`);
    }
  }

  async *conversations(): AsyncGenerator<Conversation> {
    for await (const rows of groupsOf(fetchPages(this.client, conversationsOf(this.account)))) {
      const said = await this.saidIn(rows.map(([id]) => id!));
      for (const [row, id, at, labels, contact, name, email, phone, identifier] of rows) {
        yield {
          id: id!,
          key: `${this.account} ${id}`,
          createdAt: timeOf(Number(at), `conversation ${id}`),
          labels: (labels ?? '')
            .split(',')
            .map((label) => label.trim())
            .filter(Boolean),
          said: said.get(row!) ?? [],
          person: {
            id: contact ?? `conversation ${id}`,
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
    const { rows } = await this.client.query<MessageRow>(this.messages, [ids]);
    const said = new Map<string, Said[]>(ids.map((id) => [id, []]));
    for (const row of rows) {
      const at = timeOf(row.at, `message ${row.id}`);
      const message = { ...row, at, content: row.content ?? '', author: authorOf(row), isNote: row.isPrivate };
      said.get(row.conversationId)!.push(...saidIn(message));
    }
    return said;
  }
}

async function* groupsOf<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T[]> {
  for await (const page of pages) for (let at = 0; at < page.length; at += GROUP) yield page.slice(at, at + GROUP);
}

// Ids hold times from 1970 on.
function timeOf(millis: number, place: string): Date {
  if (Number.isFinite(millis) && millis >= 0 && millis <= Date.now() + DAY_MS) return new Date(millis);
  throw refused(`Chatwoot's database, ${place}: created_at must be a time`);
}

function authorOf({ type, senderType, senderId, senderName, email }: MessageRow): Author {
  const who = { id: senderId ?? 'none', name: senderName ?? undefined };
  if (type === INCOMING) return { type: 'VISITOR', ...who };
  return senderType === 'User' ? { type: 'AGENT', ...who, email: email ?? undefined } : { type: 'BOT', ...who };
}

async function findAccount(client: pg.Client, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && (await client.query(ACCOUNT, [wanted])).rows.length > 0) return wanted;
  const { rows } = await client.query<{ id: string; name: string }>(ACCOUNTS);
  const names = rows.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (wanted !== undefined) throw refused(`Chatwoot's database has no account ${wanted}: it has ${names}`);
  if (rows.length === 1) return rows[0]!.id;
  throw refused(`Chatwoot's database has several accounts: name one with --account: ${names}`);
}
