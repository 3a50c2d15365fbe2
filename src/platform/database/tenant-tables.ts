/** A table of Parley's. */
interface Table {
  /**
   * Where it is on a Citus cluster (docs/operate/large.md):
   *
   * - `distributed`: all rows of an organization are on one shard, by `organization_id`.
   * - `reference`: small, and complete on every worker. It leads from a secret or a key to its organization.
   * - `local`: on the coordinator only. Agents who sign in write it, so it must not need every worker; or it belongs to no organization.
   */
  place: 'distributed' | 'reference' | 'local';
  /** Whether its rows belong to the installation. Otherwise, each belongs to an organization. */
  isInstallations?: boolean;
  /** Why a copy of an organization leaves its rows out. */
  leftOut?: string;
  /** The column with the organization's id; default: `organization_id`. */
  key?: string;
  /** Columns that a copy doesn't take over, because they belong to the database. They become null. */
  emptied?: readonly string[];
  /** Whether rows may stay for a while after the organization was removed. */
  isLeftBehind?: boolean;
}

/**
 * Every table, in the order of inserting: no row of an organization refers to a later table, unless its constraint is deferred. A test
 * compares the list with the database: a new table needs its row here. The tables that erasing and the export of a visitor use are chosen
 * in `privacy/visitor-tables.ts`.
 */
const TABLES = {
  organizations: { place: 'reference', key: 'id', emptied: ['deleted_at', 'remove_at', 'removal_began_at'] },
  bots: { place: 'reference' },
  access_tokens: { place: 'reference' },
  groups: { place: 'distributed' },
  agents: { place: 'distributed' },
  agent_groups: { place: 'distributed' },
  canned_replies: { place: 'distributed' },
  saved_views: { place: 'distributed' },
  receivers: { place: 'distributed' },
  webhooks: { place: 'distributed' },
  webhook_lanes: { place: 'distributed' },
  bot_connections: { place: 'distributed' },
  subscriptions: { place: 'distributed' },
  subscription_answers: { place: 'distributed' },
  subscription_copies: { place: 'distributed' },
  // The service fills the keys again.
  attribute_keys: { place: 'distributed', emptied: ['filled_to', 'ready_at'] },
  visitors: { place: 'distributed' },
  visitor_blocks: { place: 'distributed' },
  ended_visitor_tokens: { place: 'distributed' },
  // The epochs of change_readers are the database's.
  chats: { place: 'distributed', emptied: ['change_epoch'] },
  messages: { place: 'distributed' },
  chat_reads: { place: 'distributed' },
  chat_followers: { place: 'distributed' },
  tags: { place: 'distributed' },
  tag_names: { place: 'distributed' },
  chat_tags: { place: 'distributed' },
  chat_offers: { place: 'distributed' },
  handoffs: { place: 'distributed' },
  notes: { place: 'distributed' },
  note_mentions: { place: 'distributed' },
  ratings: { place: 'distributed' },
  message_ratings: { place: 'distributed' },
  person_requests: { place: 'distributed' },
  bot_states: { place: 'distributed' },
  bot_silences: { place: 'distributed' },
  bot_transcripts: { place: 'distributed' },
  bot_turns: { place: 'distributed' },
  bot_runs: { place: 'distributed' },
  bot_usage: { place: 'distributed' },
  inbound_mails: { place: 'distributed' },
  shared_chats: { place: 'distributed' },
  shared_answers: { place: 'distributed' },
  files: { place: 'distributed' },
  file_usage: { place: 'distributed' },
  deliveries: { place: 'distributed', isLeftBehind: true },
  attempts: { place: 'distributed', isLeftBehind: true },
  idempotency_keys: { place: 'distributed', isLeftBehind: true },
  audit_entries: { place: 'distributed' },
  conversation_removals: { place: 'distributed', leftOut: 'says what the endpoints of erased chats are to remove' },
  mail_addresses: { place: 'distributed', leftOut: 'the hashes are of the organization’s id' },
  visitor_links: { place: 'distributed', leftOut: 'a used link would work again' },
  mails: { place: 'distributed', leftOut: 'a mail that waits would be sent twice' },
  file_removals: { place: 'distributed', leftOut: 'says which bytes of the other store are to be removed' },
  agent_sessions: { place: 'local', leftOut: 'agents sign in again, so that no ended session comes back' },
  sign_in_links: { place: 'local', leftOut: 'a used link would work again' },
  agent_connections: {
    place: 'distributed',
    leftOut: "says which sockets are open, on the nodes of the database's installation",
  },
  push_subscriptions: { place: 'distributed', leftOut: 'end with the sessions of agents' },
  push_notifications: { place: 'distributed', leftOut: 'belong to the subscriptions' },
  forgiven_failures: { place: 'local', leftOut: 'counts failed sign-ins of the last minutes' },
  attribute_values: { place: 'distributed', leftOut: 'made again from what was copied' },
  search_entries: { place: 'distributed', leftOut: 'made again from what was copied', isLeftBehind: true },
  search_leases: { place: 'distributed', leftOut: "says which node of the database's installation writes the index" },
  change_readers: {
    place: 'distributed',
    leftOut: 'the position of an index, which reads a new organization from the beginning',
  },
  chat_changes: { place: 'distributed', leftOut: 'what an index has yet to read', isLeftBehind: true },

  file_starts: { place: 'local', isInstallations: true },
  file_store: { place: 'local', isInstallations: true },
  installation_entries: { place: 'local', isInstallations: true },
  mail_authorizations: { place: 'local', isInstallations: true },
  mail_limits: { place: 'local', isInstallations: true },
  mailboxes: { place: 'local', isInstallations: true },
  migrations: { place: 'local', isInstallations: true },
  nodes: { place: 'reference', isInstallations: true },
  operators: { place: 'local', isInstallations: true },
  push_keys: { place: 'local', isInstallations: true },
  schema_release: { place: 'local', isInstallations: true },
  secret_key_check: { place: 'local', isInstallations: true },
  sign_in_failures: { place: 'local', isInstallations: true },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;

const LIST = Object.entries<Table>(TABLES) as [TableName, Table][];

/** The names of the tables at a place, in alphabetical order. */
export function tablesAt(place: Table['place']): string[] {
  return LIST.flatMap(([name, table]) => (table.place === place ? [name] : [])).toSorted();
}

/** The tables with rows of organizations, in the order of inserting. */
export const TENANT_TABLES = LIST.filter(([, { isInstallations }]) => !isInstallations).map(([name]) => name);

/** A table that a copy of an organization has. */
export interface CopiedTable {
  name: TableName;
  key: string;
  emptied: readonly string[];
}

/** The tables to copy, in the order of inserting. */
export const COPIED_TABLES = LIST.filter(
  ([, { leftOut, isInstallations }]) => !isInstallations && leftOut === undefined,
).map(([name, { key = 'organization_id', emptied = [] }]): CopiedTable => ({ name, key, emptied }));

/** The statements that remove what a removed organization `$1` has left behind. */
export const REMOVE_LEFT_BEHIND = LIST.filter(([, { isLeftBehind }]) => isLeftBehind).map(
  ([name]) => `DELETE FROM ${name} WHERE organization_id = $1`,
);
