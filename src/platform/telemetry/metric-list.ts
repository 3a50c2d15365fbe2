/** The parts of the table of metrics, in its order. @public scripts/reference reads it from the build */
export const METRIC_GROUPS = {
  requests: 'Requests and limits',
  messages: 'Messages',
  live: 'Sockets and live delivery',
  events: 'Webhooks and polling bots',
  bots: 'Single bots',
  connections: 'Bots by address',
  chats: 'Waiting chats and agents',
  files: 'Files',
  mail: 'E-mail',
  database: 'Database and Redis',
  process: 'The process',
} as const;

interface MetricRow {
  type: 'counter' | 'gauge' | 'histogram';
  group: keyof typeof METRIC_GROUPS;
  labels: readonly string[];
  /** What it counts or measures, in the scrape and in the table of metrics. */
  help: string;
}

/**
 * Every metric of the service. No other name compiles. The table of metrics is generated from it (`npm run generate:reference`), and
 * test/docs/monitoring compares it with a scrape.
 */
export const METRICS = {
  parley_http_requests_total: {
    type: 'counter',
    group: 'requests',
    labels: ['method', 'route', 'status'],
    help: 'Answered requests. Status `aborted`: the client disconnected before the end of its answer.',
  },
  parley_http_request_duration_seconds: {
    type: 'histogram',
    group: 'requests',
    labels: ['method', 'route'],
    help: 'Time from the request to the end of its answer.',
  },
  parley_http_requests_in_flight: {
    type: 'gauge',
    group: 'requests',
    labels: [],
    help: 'Requests in progress, including the scrape itself.',
  },
  parley_http_connections_closed_total: {
    type: 'counter',
    group: 'requests',
    labels: ['limit'],
    help: 'Connections that Parley closed because of a limit: `waiting_requests` of a connection, `all_waiting_requests` of the process, `unread_answers` before a waiting request, or `connections_of_address`.',
  },
  parley_rate_limited_total: {
    type: 'counter',
    group: 'requests',
    labels: ['limit'],
    help: 'Requests that were rejected with 429 or `rate_limited`, by limit: `bot`, `bot_typing`, `visitor`, `visitor_address`, `public` requests without a token, `health` checks, `sessions`, `new_visitors`, `new_chats`, `identity_changes`, `wrong_tokens`, `agent`, `sign_in_failures` of an address, `sign_in_email`, `anonymous_messages_address`, `anonymous_bytes_address`, both with `_organization`, and `connection_tests`.',
  },
  parley_password_hashes_total: {
    type: 'counter',
    group: 'requests',
    labels: [],
    help: 'Computed password hashes. Each takes a third of a second of CPU.',
  },
  parley_message_send_duration_seconds: {
    type: 'histogram',
    group: 'messages',
    labels: ['sender'],
    help: 'Time from accepting a message to its commit, by sender: `BOT`, `VISITOR`, `AGENT`, or `SYSTEM`. `_count` is the number of stored messages.',
  },
  parley_append_batch_size: {
    type: 'histogram',
    group: 'messages',
    labels: [],
    help: 'Messages that shared a statement.',
  },
  parley_append_statement_duration_seconds: {
    type: 'histogram',
    group: 'messages',
    labels: [],
    help: 'Duration of the statements that store messages, including the wait for a connection.',
  },
  parley_queue_depth: {
    type: 'gauge',
    group: 'messages',
    labels: ['queue'],
    help: 'Entries that wait or run in this process: `append` messages to store (503 beyond 2,112), `append_alone` messages whose chat is locked, `token_check`, `typing` chats where someone types, `visitor` database requests of visitors, `heavy_read` reports, searches, and exports, `password`, `webhook_result`, `database_connection`.',
  },
  parley_sockets: {
    type: 'gauge',
    group: 'live',
    labels: [],
    help: "Visitors' sockets on this node.",
  },
  parley_agent_sockets: {
    type: 'gauge',
    group: 'live',
    labels: [],
    help: "Agents' sockets on this node.",
  },
  parley_agent_sweep_errors_total: {
    type: 'counter',
    group: 'live',
    labels: [],
    help: 'Failed comparisons between the database and what agents were sent.',
  },
  parley_live_chats: {
    type: 'gauge',
    group: 'live',
    labels: [],
    help: "Chats that this node's sockets have joined.",
  },
  parley_socket_requests_total: {
    type: 'counter',
    group: 'live',
    labels: ['request', 'outcome'],
    help: "Socket requests. The outcome is `ok`, or the error's code.",
  },
  parley_socket_refused_total: {
    type: 'counter',
    group: 'live',
    labels: ['reason'],
    help: 'Rejected connections and sockets, by reason.',
  },
  parley_socket_ended_total: {
    type: 'counter',
    group: 'live',
    labels: ['reason'],
    help: 'Connections that Parley closed, by reason.',
  },
  parley_unread_connections_ended_total: {
    type: 'counter',
    group: 'live',
    labels: [],
    help: "Connections, including HTTP, that Parley closed because the client didn't read.",
  },
  parley_unsent_bytes: {
    type: 'gauge',
    group: 'live',
    labels: [],
    help: 'Unsent bytes for clients that read slowly.',
  },
  parley_live_delivery_delay_seconds: {
    type: 'histogram',
    group: 'live',
    labels: ['source'],
    help: 'Age of a message when it was sent to sockets, by source: stored `here`, reported by another `node` (two clocks), or found by the `sweep`.',
  },
  parley_live_sweep_errors_total: {
    type: 'counter',
    group: 'live',
    labels: [],
    help: 'Failed searches for missing messages.',
  },
  parley_session_sweep_errors_total: {
    type: 'counter',
    group: 'live',
    labels: [],
    help: 'Failed searches for sockets whose session has ended. After a lost hint, such a socket stays open until one succeeds.',
  },
  parley_webhook_attempts_total: {
    type: 'counter',
    group: 'events',
    labels: ['outcome'],
    help: 'Attempts to deliver an event: `delivered` or `failed`.',
  },
  parley_webhook_attempt_duration_seconds: {
    type: 'histogram',
    group: 'events',
    labels: ['outcome'],
    help: 'Duration of the attempts, from the DNS lookup to the end of the answer.',
  },
  parley_webhook_attempts_in_flight: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: 'Attempts in progress.',
  },
  parley_webhook_deliveries_total: {
    type: 'counter',
    group: 'events',
    labels: ['outcome'],
    help: 'Results of attempts: `delivered`, `retry`, `dead` (given up), or `gone` (answered 410).',
  },
  parley_webhook_deliveries_due: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: 'Deliveries that should have been sent by now, of all nodes: up to 1,000 first ones and 1,000 retries of each webhook.',
  },
  parley_webhook_deliveries_dead: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: 'Deliveries that Parley gave up on, of all nodes: up to 1,000 of each webhook.',
  },
  parley_webhook_oldest_due_age_seconds: {
    type: 'gauge',
    group: 'events',
    labels: ['receiver'],
    help: "Wait of the delivery that's been due longest, of all nodes. `healthy` is Parley's delay, `failing` the receivers'.",
  },
  parley_pull_events_waiting: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: 'Events that wait for bots to fetch them, of all nodes: up to 1,000 of each bot.',
  },
  parley_pull_oldest_seconds: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: 'Age of the oldest of these events, of all nodes.',
  },
  parley_pull_last_poll_seconds: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: "Time since the last poll of the bot that's been silent longest, of all nodes, without idle subscriptions.",
  },
  parley_webhook_failing: {
    type: 'gauge',
    group: 'events',
    labels: [],
    help: 'Enabled webhooks whose latest attempts failed, of all nodes.',
  },
  parley_bot_turns_total: {
    type: 'counter',
    group: 'bots',
    labels: ['bot', 'outcome'],
    help: "What bots did: `answered` a visitor's message, counted as `parley_bot_answer_duration_seconds` is; `handed_over` a chat; `failed`, and handed it over with a `cause`.",
  },
  parley_bot_failures_total: {
    type: 'counter',
    group: 'bots',
    labels: ['bot', 'cause'],
    help: 'Chats that bots handed over because of an error, by its name: up to 10 of each bot, then `other`.',
  },
  parley_bot_answer_duration_seconds: {
    type: 'histogram',
    group: 'bots',
    labels: ['bot'],
    help: "Time from a visitor's message to the bot's first message after it, if the visitor is connected, or one node stored both.",
  },
  parley_bot_rate_limited_total: {
    type: 'counter',
    group: 'bots',
    labels: ['bot'],
    help: 'Requests of bots that were rejected with 429. Of all metrics of single bots, the first 100 since the node started have their own label, and the rest share `other`.',
  },
  parley_bot_runs_total: {
    type: 'counter',
    group: 'connections',
    labels: ['kind', 'outcome'],
    help: 'Requests to endpoints that ended, by kind of connection and outcome: `DONE`, `FAILED`, `ABORTED`, `CANCELLED`, `INTERRUPTED`, `GIVEN_BACK`, or `LOST`. Of all metrics with a kind, `deleted` is for turns whose connection was deleted.',
  },
  parley_bot_run_duration_seconds: {
    type: 'histogram',
    group: 'connections',
    labels: ['kind'],
    help: "Time from a run's beginning to its end, without runs that another node lost or a newer message aborted.",
  },
  parley_bot_first_token_seconds: {
    type: 'histogram',
    group: 'connections',
    labels: ['kind'],
    help: "Time from a run's beginning to the first text or status of its endpoint.",
  },
  parley_bot_runs_in_flight: {
    type: 'gauge',
    group: 'connections',
    labels: ['kind'],
    help: 'Runs in progress on this node, of at most 500.',
  },
  parley_bot_turns_waiting: {
    type: 'gauge',
    group: 'connections',
    labels: [],
    help: 'Turns of connected bots that are due and that no node has begun, of all nodes, up to 1,000.',
  },
  parley_bot_turns_oldest_seconds: {
    type: 'gauge',
    group: 'connections',
    labels: [],
    help: 'Time that the oldest of these turns has been due, of all nodes.',
  },
  parley_bot_connection_turns_total: {
    type: 'counter',
    group: 'connections',
    labels: ['kind', 'status'],
    help: 'Turns of connected bots that ended, by status: `DONE`, `HANDED_OVER`, `INTERRUPTED`, `CANCELLED`, `ABORTED`, or `FAILED`.',
  },
  parley_bot_tool_calls_total: {
    type: 'counter',
    group: 'connections',
    labels: ['tool', 'outcome'],
    help: "Calls of Parley's tools by endpoints: `done`, `error` (wrong arguments, or an unknown tool, which counts as `other`), or `not_executed`, because the turn had ended.",
  },
  parley_bot_tokens_total: {
    type: 'counter',
    group: 'connections',
    labels: ['kind', 'direction'],
    help: 'Tokens that endpoints report: `input` or `output`.',
  },
  parley_bot_warnings_total: {
    type: 'counter',
    group: 'connections',
    labels: ['kind', 'reason'],
    help: "Parts of endpoints' answers that were dropped or limited, by the word that the warning begins with, or `other`.",
  },
  parley_chats_waiting: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'Chats that wait for an agent, of all nodes.',
  },
  parley_chats_waiting_oldest_seconds: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'The longest wait of a chat, of all nodes.',
  },
  parley_agents_online: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'Agents who are online and accept chats, of all nodes.',
  },
  parley_groups_without_agents: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'Groups where chats wait and no agent is online, of all nodes.',
  },
  parley_assignment_wait_seconds: {
    type: 'histogram',
    group: 'chats',
    labels: ['how'],
    help: 'Time that chats waited until an agent got them: `CLAIMED`, `OFFERED`, `AUTOMATIC`, or `ASSIGNED`.',
  },
  parley_offers_total: {
    type: 'counter',
    group: 'chats',
    labels: ['reason'],
    help: 'Offers that ended: `ACCEPTED`, `DECLINED`, `EXPIRED`, or `WITHDRAWN`.',
  },
  parley_handoffs_unanswered_total: {
    type: 'counter',
    group: 'chats',
    labels: [],
    help: 'Waiting chats that no agent took in time.',
  },
  parley_search_behind_seconds: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'For how long this node has had changes of an organization that the search index lacks; 0 when it has all.',
  },
  parley_retention_behind_seconds: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'For how long the chats that retention is removing have been due; 0 when its pass has ended.',
  },
  parley_retention_removed_total: {
    type: 'counter',
    group: 'chats',
    labels: ['kind'],
    help: 'Rows that retention removed or emptied because of their age: `chats`, `messages`, and `visitors`.',
  },
  parley_bot_silence_handovers_total: {
    type: 'counter',
    group: 'chats',
    labels: ['reason'],
    help: "Chats that agents got because a bot didn't take a visitor's message (`bot_silent`) or didn't answer it (`bot_unanswered`).",
  },
  parley_bot_silent_chats: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: "Chats with a visitor's message that no bot has taken for a while, of all nodes.",
  },
  parley_bot_silence_oldest_seconds: {
    type: 'gauge',
    group: 'chats',
    labels: [],
    help: 'Time since the oldest of these messages, of all nodes.',
  },
  parley_agent_load_corrections_total: {
    type: 'counter',
    group: 'chats',
    labels: [],
    help: 'Agents whose number of chats or offers was wrong and was corrected. More than zero is a bug.',
  },
  parley_mail_attempts_total: {
    type: 'counter',
    group: 'mail',
    labels: ['outcome'],
    help: 'Attempts to send an e-mail: `sent`, `later` (retried by `MAIL_RETRY_SECONDS`), `blocked` (the server refuses Parley), or `refused` (the address).',
  },
  parley_mail_ended_total: {
    type: 'counter',
    group: 'mail',
    labels: ['status'],
    help: 'E-mails that ended: `SENT`, `BOUNCED`, `FAILED`, or `LAPSED`.',
  },
  parley_mail_due: {
    type: 'gauge',
    group: 'mail',
    labels: [],
    help: 'E-mails that are due now, up to 1,000. Every node reports the same.',
  },
  parley_mail_oldest_due_age_seconds: {
    type: 'gauge',
    group: 'mail',
    labels: [],
    help: 'Seconds that the oldest e-mail has been due. Every node reports the same.',
  },
  parley_database_connections: {
    type: 'gauge',
    group: 'database',
    labels: ['state'],
    help: 'Database connections of this process: `busy` or `idle`.',
  },
  parley_database_connections_max: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: 'Maximum database connections of this process (`DATABASE_POOL_SIZE`).',
  },
  parley_faults_total: {
    type: 'counter',
    group: 'database',
    labels: ['cause'],
    help: 'Requests and tasks that failed although no client did anything wrong, by [cause](../operate/faults.md).',
  },
  parley_writes_failing: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: '1 while a write that Parley tries fails, or requests report a fault of the whole database. Otherwise 0.',
  },
  parley_standby_silent: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: "1 while commits hang because the synchronous standby doesn't answer, and writes are rejected. Otherwise 0.",
  },
  parley_database_oldest_transaction_seconds: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: "Age of the database's oldest open transaction. Other roles' count only if Parley's role is a member of `pg_read_all_stats`.",
  },
  parley_database_archive_failing: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: "1 while PostgreSQL's last attempt to archive its log failed, otherwise 0.",
  },
  parley_database_clock_ahead_seconds: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: "How far the database's clock is ahead of this process's, including the time of the query.",
  },
  parley_redis_up: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: '1 while Redis is connected and answers within a second, otherwise 0. The metrics of Redis exist only with `REDIS_URL`.',
  },
  parley_redis_round_trip_seconds: {
    type: 'gauge',
    group: 'database',
    labels: [],
    help: "Time that Redis took to answer the last ping. While it doesn't answer, the time since its last answer.",
  },
  parley_redis_hints_published_total: {
    type: 'counter',
    group: 'database',
    labels: [],
    help: 'Hints for other nodes that were sent to Redis.',
  },
  parley_redis_hints_dropped_total: {
    type: 'counter',
    group: 'database',
    labels: [],
    help: 'Hints that were dropped because Redis was disconnected or slow. A sweep delivers what they announced.',
  },
  parley_redis_hints_received_total: {
    type: 'counter',
    group: 'database',
    labels: [],
    help: 'Hints from other nodes.',
  },
  parley_redis_hints_refused_total: {
    type: 'counter',
    group: 'database',
    labels: [],
    help: 'Rejected hints, from another installation, a node with another `SECRET_KEY`, or an older release. They have no effect.',
  },
  parley_other_nodes: {
    type: 'gauge',
    group: 'database',
    labels: ['differs_by'],
    help: 'Other running nodes on this Redis that differ from this one by their `database` (or its timeline, for 15 s), `build`, or `key`.',
  },
  parley_ready: {
    type: 'gauge',
    group: 'process',
    labels: [],
    help: '1 if `/health/ready` would answer 200, otherwise 0.',
  },
  parley_drill: {
    type: 'gauge',
    group: 'process',
    labels: [],
    help: '1 with `DRILL`: the node sends no webhooks and removes nothing by itself. Otherwise 0.',
  },
  parley_scrape_errors_total: {
    type: 'counter',
    group: 'process',
    labels: ['source'],
    help: 'Queries for a scrape that failed or took more than 2 s.',
  },
  parley_build_info: {
    type: 'gauge',
    group: 'process',
    labels: ['version', 'commit', 'node'],
    help: 'Always 1. The labels are the version of Parley, the commit that it was built from, and the version of Node.',
  },
  parley_uploads_total: {
    type: 'counter',
    group: 'files',
    labels: ['sender', 'outcome'],
    help: 'Checked uploads, by who sent them. Outcome: `stored`, or the code of the final refusal.',
  },
  parley_upload_bytes_total: {
    type: 'counter',
    group: 'files',
    labels: [],
    help: 'Bytes of bodies that arrived whole.',
  },
  parley_download_bytes_total: { type: 'counter', group: 'files', labels: [], help: 'Bytes of files that were sent.' },
  parley_file_transfers_in_flight: {
    type: 'gauge',
    group: 'files',
    labels: ['direction'],
    help: 'Bodies of files that this node receives (`upload`) or sends (`download`).',
  },
  parley_files_stored_bytes: {
    type: 'gauge',
    group: 'files',
    labels: [],
    help: 'Bytes of completed files in all organizations. Every node reports the same.',
  },
  parley_files_missing_total: {
    type: 'counter',
    group: 'files',
    labels: [],
    help: 'Requests for files whose bytes the store has lost.',
  },
  parley_file_removals_waiting: {
    type: 'gauge',
    group: 'files',
    labels: [],
    help: 'Objects whose bytes are still to be removed. Every node reports the same.',
  },
  parley_file_scan_duration_seconds: {
    type: 'histogram',
    group: 'files',
    labels: [],
    help: 'Time that the scanner took for a file.',
  },
} as const satisfies Record<string, MetricRow>;

type MetricType = MetricRow['type'];

/** The names of all counters, gauges, or histograms. */
export type MetricName<T extends MetricType = MetricType> = {
  [Name in keyof typeof METRICS]: (typeof METRICS)[Name]['type'] extends T ? Name : never;
}[keyof typeof METRICS];
