/** What a copy of an organization does with a table. */
interface TableOfOrganization {
  /** Why its rows aren't copied. */
  leftOut?: string;
  /** The column with the organization's id; default: `organization_id`. */
  key?: string;
  /** Columns that the copy doesn't take over, because they belong to the database. They become null. */
  emptied?: readonly string[];
  /** Whether rows may stay for a while after the organization was removed. */
  isLeftBehind?: boolean;
}

/**
 * Every table with rows of an organization, in the order of inserting: no row refers to a later table, unless its constraint is deferred. A
 * test compares the list with the database: a new table needs its row here.
 */
export const TABLES_OF_ORGANIZATIONS = {
  organizations: { key: 'id', emptied: ['deleted_at', 'remove_at', 'removal_began_at'] },
  bots: {},
  access_tokens: {},
  groups: {},
  agents: {},
  agent_groups: {},
  canned_replies: {},
  saved_views: {},
  webhooks: {},
  webhook_lanes: {},
  bot_connections: {},
  subscriptions: {},
  subscription_answers: {},
  subscription_copies: {},
  // The service fills the keys again.
  attribute_keys: { emptied: ['filled_to', 'ready_at'] },
  visitors: {},
  visitor_blocks: {},
  ended_visitor_tokens: {},
  // The epochs of change_readers are the database's.
  chats: { emptied: ['change_epoch'] },
  messages: {},
  chat_reads: {},
  chat_followers: {},
  tags: {},
  tag_names: {},
  chat_tags: {},
  chat_offers: {},
  handoffs: {},
  notes: {},
  note_mentions: {},
  ratings: {},
  message_ratings: {},
  person_requests: {},
  bot_states: {},
  bot_silences: {},
  bot_transcripts: {},
  bot_turns: {},
  bot_runs: {},
  bot_usage: {},
  inbound_mails: {},
  shared_chats: {},
  shared_answers: {},
  files: {},
  file_usage: {},
  deliveries: { isLeftBehind: true },
  attempts: { isLeftBehind: true },
  idempotency_keys: { isLeftBehind: true },
  audit_entries: {},
  conversation_removals: { leftOut: 'says what the endpoints of erased chats are to remove' },
  mail_addresses: { leftOut: 'the hashes are of the organization’s id' },
  visitor_links: { leftOut: 'a used link would work again' },
  mails: { leftOut: 'a mail that waits would be sent twice' },
  file_removals: { leftOut: 'says which bytes of the other store are to be removed' },
  agent_sessions: { leftOut: 'agents sign in again, so that no ended session comes back' },
  sign_in_links: { leftOut: 'a used link would work again' },
  agent_connections: { leftOut: "says which sockets are open, on the nodes of the database's installation" },
  push_subscriptions: { leftOut: 'end with the sessions of agents' },
  push_notifications: { leftOut: 'belong to the subscriptions' },
  forgiven_failures: { leftOut: 'counts failed sign-ins of the last minutes' },
  attribute_values: { leftOut: 'made again from what was copied' },
  search_entries: { leftOut: 'made again from what was copied', isLeftBehind: true },
  search_leases: { leftOut: "says which node of the database's installation writes the index" },
  change_readers: { leftOut: 'the position of an index, which reads a new organization from the beginning' },
  chat_changes: { leftOut: 'what an index has yet to read', isLeftBehind: true },
} as const satisfies Record<string, TableOfOrganization>;

/** A table that a copy of an organization has. */
export interface CopiedTable {
  name: keyof typeof TABLES_OF_ORGANIZATIONS;
  key: string;
  emptied: readonly string[];
}

const TABLES = Object.entries<TableOfOrganization>(TABLES_OF_ORGANIZATIONS);

/** The tables to copy, in the order of inserting. */
export const COPIED_TABLES = TABLES.filter(([, { leftOut }]) => leftOut === undefined).map(
  ([name, { key = 'organization_id', emptied = [] }]) => ({ name, key, emptied }) as CopiedTable,
);

/** The statements that remove what a removed organization `$1` has left behind. */
export const REMOVE_LEFT_BEHIND = TABLES.filter(([, { isLeftBehind }]) => isLeftBehind).map(
  ([name]) => `DELETE FROM ${name} WHERE organization_id = $1`,
);
