/**
 * Where each table is on a Citus cluster (docs/operate/scaling.md):
 *
 * - `distributed`: all rows of an organization are on one shard, by `organization_id`.
 * - `reference`: small, and complete on every worker. It leads from a secret or a key to its organization.
 * - `local`: on the coordinator only. Agents who sign in write it, so it must not need every worker; or it belongs to no organization.
 */
const LAYOUT = {
  access_tokens: 'reference',
  agent_connections: 'distributed',
  agent_groups: 'distributed',
  agent_sessions: 'local',
  agents: 'distributed',
  attempts: 'distributed',
  audit_entries: 'distributed',
  bot_connections: 'distributed',
  bot_runs: 'distributed',
  bot_silences: 'distributed',
  bot_states: 'distributed',
  bot_transcripts: 'distributed',
  bot_turns: 'distributed',
  bots: 'reference',
  canned_replies: 'distributed',
  change_readers: 'distributed',
  chat_changes: 'distributed',
  chat_followers: 'distributed',
  chat_offers: 'distributed',
  chat_reads: 'distributed',
  chats: 'distributed',
  conversation_removals: 'distributed',
  deliveries: 'distributed',
  ended_visitor_tokens: 'distributed',
  file_removals: 'distributed',
  file_starts: 'local',
  file_store: 'local',
  file_usage: 'distributed',
  files: 'distributed',
  forgiven_failures: 'local',
  groups: 'distributed',
  handoffs: 'distributed',
  idempotency_keys: 'distributed',
  installation_entries: 'local',
  mail_limits: 'local',
  mails: 'distributed',
  message_ratings: 'distributed',
  messages: 'distributed',
  migrations: 'local',
  nodes: 'reference',
  note_mentions: 'distributed',
  notes: 'distributed',
  operators: 'local',
  organizations: 'reference',
  person_requests: 'distributed',
  ratings: 'distributed',
  search_entries: 'distributed',
  search_leases: 'distributed',
  secret_key_check: 'local',
  shared_answers: 'distributed',
  shared_chats: 'distributed',
  sign_in_failures: 'local',
  sign_in_links: 'local',
  subscription_answers: 'distributed',
  subscription_copies: 'distributed',
  subscriptions: 'distributed',
  visitor_blocks: 'distributed',
  visitors: 'distributed',
  webhook_lanes: 'distributed',
  webhooks: 'distributed',
} as const satisfies Record<string, 'distributed' | 'reference' | 'local'>;

/** The tables at a place. */
export function tablesAt(place: 'distributed' | 'reference' | 'local'): string[] {
  return Object.entries(LAYOUT).flatMap(([table, at]) => (at === place ? [table] : []));
}
