import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createDatabase, type TestDatabase } from '../../support/database.js';

const TABLES = new URL('./chatwoot.sql', import.meta.url);
export const [INCOMING, OUTGOING, ACTIVITY, TEMPLATE] = [0, 1, 2, 3];
/** `content_type` of messages. */
export const TYPES = { TEXT: 0, EMAIL_INPUT: 3, SELECT: 4, CARDS: 5, FORM: 6, ARTICLE: 7, EMAIL: 8, RATING: 9 };

type Row = Record<string, unknown>;

/** A database with Chatwoot's tables. Rows get what Rails sets in every row. */
export class Chatwoot {
  private constructor(
    readonly database: TestDatabase,
    private readonly client: pg.Client,
  ) {}

  static async create(): Promise<Chatwoot> {
    const database = await createDatabase({ isMigrated: false });
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(await readFile(TABLES, 'utf8'));
    return new Chatwoot(database, client);
  }

  get url(): string {
    return this.database.url;
  }

  /** Adds a row, and returns its id. Objects become JSON. */
  async add(table: string, row: Row): Promise<number> {
    const { rows: columns } = await this.client.query<{ name: string }>(
      'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
      [table],
    );
    const names = columns.map(({ name }) => name);
    const times = Object.fromEntries(['created_at', 'updated_at'].map((name) => [name, '2025-02-01 08:00:00']));
    const full = Object.entries({ ...times, account_id: 1, inbox_id: 1, ...row }).filter(([name]) =>
      names.includes(name),
    );
    const text = `INSERT INTO ${table} (${full.map(([name]) => name).join(', ')}) VALUES (${full.map((_, at) => `$${at + 1}`).join(', ')}) RETURNING id`;
    const values = full.map(([, value]) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    );
    const { rows } = await this.client.query<{ id: number }>(text, values);
    return Number(rows[0]!.id);
  }

  /** Adds a message. `attributes` are stored as Rails stores them: a text of JSON, in a column of JSON. */
  async say(conversation_id: number, at: string, row: Row & { attributes?: Row }): Promise<number> {
    const { attributes, ...rest } = row;
    const content_attributes = attributes ? JSON.stringify(JSON.stringify(attributes)) : '{}';
    const created_at = at.includes(' ') ? at : `2025-03-01 ${at}`;
    return this.add('messages', { conversation_id, created_at, updated_at: created_at, content_attributes, ...rest });
  }

  /** Adds an attachment with a stored file. */
  async attach(message_id: number, filename: string, row: Row = {}): Promise<void> {
    const record_id = await this.add('attachments', { message_id, extension: filename.split('.').at(-1), ...row });
    const blob = {
      key: `key${record_id}`,
      filename,
      byte_size: 12,
      service_name: 'local',
      metadata: '{"identified":true}',
    };
    const blob_id = await this.add('active_storage_blobs', blob);
    await this.add('active_storage_attachments', { name: 'file', record_type: 'Attachment', record_id, blob_id });
  }

  /** Adds a label as acts_as_taggable does. */
  async label(taggable_id: number, name: string): Promise<void> {
    const tag_id = await this.add('tags', { name });
    await this.add('taggings', { tag_id, taggable_type: 'Conversation', taggable_id, context: 'labels' });
  }

  async query(text: string): Promise<void> {
    await this.client.query(text);
  }

  async drop(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }
}

/** An account with two short conversations, and one without messages. */
export async function addShortAccount(chatwoot: Chatwoot): Promise<void> {
  await chatwoot.add('accounts', { name: 'Acme' });
  const zoe = { name: 'Zoë Müller', email: 'zoe@example.com', phone_number: '+491701234567', identifier: 'customer-7' };
  await chatwoot.add('contacts', zoe);
  await chatwoot.add('contacts', { name: '' });
  await chatwoot.add('users', { name: 'Ada Lovelace', display_name: 'Ada', email: 'ADA@acme.example' });
  await chatwoot.add('users', { name: 'Gone Agent', email: 'gone@acme.example' });
  await chatwoot.add('agent_bots', { name: 'Helper' });
  const labels = { cached_label_list: 'refund, vip' };
  const one = await chatwoot.add('conversations', { contact_id: 1, created_at: '2025-03-01 10:00:00', ...labels });
  const two = await chatwoot.add('conversations', { contact_id: 2, created_at: '2025-03-02 10:00:00' });
  const empty = await chatwoot.add('conversations', { contact_id: 1, created_at: '2025-03-03 10:00:00' });
  const [visitor, ada] = [
    (sender_id: number) => ({ message_type: INCOMING, sender_type: 'Contact', sender_id }),
    userSays(1),
  ];
  await chatwoot.say(one, '10:00:01.5', { content: 'Where is INV-2026/0815?', ...visitor(1) });
  await chatwoot.say(one, '10:00:02', {
    content: 'I am a bot',
    message_type: OUTGOING,
    sender_type: 'AgentBot',
    sender_id: 1,
  });
  await chatwoot.say(one, '10:00:03', { content: 'Conversation was assigned to Ada', message_type: ACTIVITY });
  await chatwoot.say(one, '10:00:04', { content: 'she called before', private: true, ...ada });
  await chatwoot.say(one, '10:00:05', { content: 'It is on its way', ...ada });
  await chatwoot.attach(await chatwoot.say(one, '10:00:06', { ...visitor(1) }), 'receipt.pdf');
  await chatwoot.say(one, '10:00:07', { content: 'Give us a rating', message_type: TEMPLATE });
  await chatwoot.say(two, '2025-03-02 10:00:01', { content: 'hello?', ...visitor(2) });
  await chatwoot.say(two, '2025-03-02 10:00:02', { content: 'yes', ...userSays(2) });
  await chatwoot.say(empty, '2025-03-03 10:00:01', { content: 'Conversation was resolved', message_type: ACTIVITY });
}

/** The sender of an agent's message. */
export function userSays(sender_id: number): Row {
  return { message_type: OUTGOING, sender_type: 'User', sender_id };
}
