import type { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { isCluster } from './citus/distribute.js';
import { DatabaseHosts, WriterClient } from './hosts.js';
import { option, optionsOf, READ_SESSION, type Session } from './properties/settings.js';
import { ReplicationCancelled } from './replication.js';
import { SilentWorkers } from './citus/silent-workers.js';
import { LockWatch } from './faults/lock-watch.js';
import { Standby } from './standby.js';
import { Organizations1766194001000 } from '../../../migrations/1766194001000-organizations.js';
import { Chats1766194002000 } from '../../../migrations/1766194002000-chats.js';
import { Events1766194003000 } from '../../../migrations/1766194003000-events.js';
import { BotConnections1766194004000 } from '../../../migrations/1766194004000-bot-connections.js';
import { Finding1766194005000 } from '../../../migrations/1766194005000-finding.js';
import { Reaching1766194006000 } from '../../../migrations/1766194006000-reaching.js';
import { Foundation1763700000000 } from '../../../migrations/1763700000000-foundation.js';
import { Webhooks1763800000000 } from '../../../migrations/1763800000000-webhooks.js';
import { RepliesAndReads1763900000000 } from '../../../migrations/1763900000000-replies-and-reads.js';
import { DataRemoval1764000000000 } from '../../../migrations/1764000000000-data-removal.js';
import { DataRemovalIndexes1764010000000 } from '../../../migrations/1764010000000-data-removal-indexes.js';
import { Traces1764050000000 } from '../../../migrations/1764050000000-traces.js';
import { VisitorSessions1764100000000 } from '../../../migrations/1764100000000-visitor-sessions.js';
import { ListIndexes1764110000000 } from '../../../migrations/1764110000000-list-indexes.js';
import { AnonymousRetention1764120000000 } from '../../../migrations/1764120000000-anonymous-retention.js';
import { AnonymousRetentionIndex1764121000000 } from '../../../migrations/1764121000000-anonymous-retention-index.js';
import { AgentsOfActiveChats1764130000000 } from '../../../migrations/1764130000000-agents-of-active-chats.js';
import { People1764200000000 } from '../../../migrations/1764200000000-people.js';
import { PeopleIndexes1764210000000 } from '../../../migrations/1764210000000-people-indexes.js';
import { Pull1764310000000 } from '../../../migrations/1764310000000-pull.js';
import { TypingPreview1764400000000 } from '../../../migrations/1764400000000-typing-preview.js';
import { WidgetSettings1764500000000 } from '../../../migrations/1764500000000-widget-settings.js';
import { Ratings1764510000000 } from '../../../migrations/1764510000000-ratings.js';
import { VisitorSearch1764520000000 } from '../../../migrations/1764520000000-visitor-search.js';
import { OffersOfAgents1764530000000 } from '../../../migrations/1764530000000-offers-of-agents.js';
import { EarlierAnswers1764540000000 } from '../../../migrations/1764540000000-earlier-answers.js';
import { AuditChanges1764600000000 } from '../../../migrations/1764600000000-audit-changes.js';
import { PendingOffers1764610000000 } from '../../../migrations/1764610000000-pending-offers.js';
import { ChatChannel1764620000000 } from '../../../migrations/1764620000000-chat-channel.js';
import { Changes1764630000000 } from '../../../migrations/1764630000000-changes.js';
import { PersonRequests1764631000000 } from '../../../migrations/1764631000000-person-requests.js';
import { ChatActivity1764640000000 } from '../../../migrations/1764640000000-chat-activity.js';
import { ChatActivityIndexes1764641000000 } from '../../../migrations/1764641000000-chat-activity-indexes.js';
import { EditedNotes1764642000000 } from '../../../migrations/1764642000000-edited-notes.js';
import { NoteMentions1764643000000 } from '../../../migrations/1764643000000-note-mentions.js';
import { BotStates1764650000000 } from '../../../migrations/1764650000000-bot-states.js';
import { SharedPolls1764651000000 } from '../../../migrations/1764651000000-shared-polls.js';
import { TokenScopes1764652000000 } from '../../../migrations/1764652000000-token-scopes.js';
import { BotsOfGroups1764653000000 } from '../../../migrations/1764653000000-bots-of-groups.js';
import { Snooze1764660000000 } from '../../../migrations/1764660000000-snooze.js';
import { SnoozeIndex1764661000000 } from '../../../migrations/1764661000000-snooze-index.js';
import { PersonalReplies1764665000000 } from '../../../migrations/1764665000000-personal-replies.js';
import { ReportIndexes1764670000000 } from '../../../migrations/1764670000000-report-indexes.js';
import { OfficeHours1764671000000 } from '../../../migrations/1764671000000-office-hours.js';
import { WidgetSightings1764672000000 } from '../../../migrations/1764672000000-widget-sightings.js';
import { MessageRatings1764680000000 } from '../../../migrations/1764680000000-message-ratings.js';
import { StoreAddresses1764681000000 } from '../../../migrations/1764681000000-store-addresses.js';
import { VisitorBlocks1764682000000 } from '../../../migrations/1764682000000-visitor-blocks.js';
import { Captcha1764683000000 } from '../../../migrations/1764683000000-captcha.js';
import { MessagesWithoutForeignKey1764690000000 } from '../../../migrations/1764690000000-messages-without-foreign-key.js';
import { WidgetPictures1764710000000 } from '../../../migrations/1764710000000-widget-pictures.js';
import { Away1764720000000 } from '../../../migrations/1764720000000-away.js';
import { ChatFollowers1764720001000 } from '../../../migrations/1764720001000-chat-followers.js';
import { AppendMessages1764740000000 } from '../../../migrations/1764740000000-append-messages.js';
import { ChatTitles1764750000000 } from '../../../migrations/1764750000000-chat-titles.js';
import { ListsOfWebhooks1764751000000 } from '../../../migrations/1764751000000-lists-of-webhooks.js';
import { TakeEvents1764800000000 } from '../../../migrations/1764800000000-take-events.js';
import { ChangeEpochs1764801000000 } from '../../../migrations/1764801000000-change-epochs.js';
import { AttemptsWithoutForeignKey1764810000000 } from '../../../migrations/1764810000000-attempts-without-foreign-key.js';
import { EndedSnoozes1764830000000 } from '../../../migrations/1764830000000-ended-snoozes.js';
import { TakeEvents21764851000000 } from '../../../migrations/1764851000000-take-events-2.js';
import { AppendMessages21764860000000 } from '../../../migrations/1764860000000-append-messages-2.js';
import { TakeEvents31764870000000 } from '../../../migrations/1764870000000-take-events-3.js';
import { ChangeWritersOfSchema1764890000000 } from '../../../migrations/1764890000000-change-writers-of-schema.js';
import { ForgivenFailures1764900000000 } from '../../../migrations/1764900000000-forgiven-failures.js';
import { KnownNetworks1764901000000 } from '../../../migrations/1764901000000-known-networks.js';
import { RatingChanges1764910000000 } from '../../../migrations/1764910000000-rating-changes.js';
import { FoldText1764920000000 } from '../../../migrations/1764920000000-fold-text.js';
import { FoldedVisitors1764920001000 } from '../../../migrations/1764920001000-folded-visitors.js';
import { FoldedAgents1764920002000 } from '../../../migrations/1764920002000-folded-agents.js';
import { BotLimits1764930000000 } from '../../../migrations/1764930000000-bot-limits.js';
import { BotSilences1764931000000 } from '../../../migrations/1764931000000-bot-silences.js';
import { OnlyOwnChatsOfBots1764940000000 } from '../../../migrations/1764940000000-only-own-chats-of-bots.js';
import { OnlyOwnChatsOfOrganizations1764941000000 } from '../../../migrations/1764941000000-only-own-chats-of-organizations.js';
import { CausesOfHandoffs1764950000000 } from '../../../migrations/1764950000000-causes-of-handoffs.js';
import { SecretKeyCheck1765020000000 } from '../../../migrations/1765020000000-secret-key-check.js';
import { PreviousIdentitySecrets1765021000000 } from '../../../migrations/1765021000000-previous-identity-secrets.js';
import { OrganizationGrace1765040000000 } from '../../../migrations/1765040000000-organization-grace.js';
import { InstallationEntries1765041000000 } from '../../../migrations/1765041000000-installation-entries.js';
import { Operators1765042000000 } from '../../../migrations/1765042000000-operators.js';
import { Files1766030000000 } from '../../../migrations/1766030000000-files.js';
import { FilesOfMessages1766031000000 } from '../../../migrations/1766031000000-files-of-messages.js';
import { FilesOfNotes1766032000000 } from '../../../migrations/1766032000000-files-of-notes.js';
import { VisitorUploads1766033000000 } from '../../../migrations/1766033000000-visitor-uploads.js';
import { FileQuota1766034000000 } from '../../../migrations/1766034000000-file-quota.js';
import { Search1766040000000 } from '../../../migrations/1766040000000-search.js';
import { BotConnections1766058000000 } from '../../../migrations/1766058000000-bot-connections.js';
import { ConversationRemovals1766059000000 } from '../../../migrations/1766059000000-conversation-removals.js';
import { InboundMails1766100000000 } from '../../../migrations/1766100000000-inbound-mails.js';
import { Mails1766070000000 } from '../../../migrations/1766070000000-mails.js';
import { MissedAnswers1766071000000 } from '../../../migrations/1766071000000-missed-answers.js';
import { Tags1766080000000 } from '../../../migrations/1766080000000-tags.js';
import { SenderIsAi1766090000000 } from '../../../migrations/1766090000000-sender-is-ai.js';
import { Mailbox1766110000000 } from '../../../migrations/1766110000000-mailbox.js';
import { Transcripts1766112000000 } from '../../../migrations/1766112000000-transcripts.js';
import { Push1766140000000 } from '../../../migrations/1766140000000-push.js';
import { BotNote1766146000000 } from '../../../migrations/1766146000000-bot-note.js';
import { MailsToAgents1766145000000 } from '../../../migrations/1766145000000-mails-to-agents.js';
import { Attributes1766160000000 } from '../../../migrations/1766160000000-attributes.js';
import { AppendMessages41766161000000 } from '../../../migrations/1766161000000-append-messages-4.js';
import { SavedViews1766170000000 } from '../../../migrations/1766170000000-saved-views.js';
import { AttributeKeys1766183000000 } from '../../../migrations/1766183000000-attribute-keys.js';
import { SchemaRelease1766193000000 } from '../../../migrations/1766193000000-schema-release.js';
import { StoppedTurns1766201000000 } from '../../../migrations/1766201000000-stopped-turns.js';
import { TaggedChatsIndex1766202000000 } from '../../../migrations/1766202000000-tagged-chats-index.js';
import { MailsToCheckIndex1766203000000 } from '../../../migrations/1766203000000-mails-to-check-index.js';
import { PresenceAt1766172000000 } from '../../../migrations/1766172000000-presence-at.js';
import { BotUsage1766075000000 } from '../../../migrations/1766075000000-bot-usage.js';
import { Lockout } from './key/lockout.js';
import { TIME_LIMITS_MS } from '../lib/time-limits.js';

// A list instead of a glob, because globs break when the modules are loaded once for many test files.
export const MIGRATIONS = [
  Organizations1766194001000,
  Chats1766194002000,
  Events1766194003000,
  BotConnections1766194004000,
  Finding1766194005000,
  Reaching1766194006000,
  Foundation1763700000000,
  Webhooks1763800000000,
  RepliesAndReads1763900000000,
  DataRemoval1764000000000,
  DataRemovalIndexes1764010000000,
  Traces1764050000000,
  VisitorSessions1764100000000,
  ListIndexes1764110000000,
  AnonymousRetention1764120000000,
  AnonymousRetentionIndex1764121000000,
  AgentsOfActiveChats1764130000000,
  People1764200000000,
  PeopleIndexes1764210000000,
  Pull1764310000000,
  TypingPreview1764400000000,
  WidgetSettings1764500000000,
  Ratings1764510000000,
  VisitorSearch1764520000000,
  OffersOfAgents1764530000000,
  EarlierAnswers1764540000000,
  AuditChanges1764600000000,
  PendingOffers1764610000000,
  ChatChannel1764620000000,
  Changes1764630000000,
  PersonRequests1764631000000,
  ChatActivity1764640000000,
  ChatActivityIndexes1764641000000,
  EditedNotes1764642000000,
  NoteMentions1764643000000,
  BotStates1764650000000,
  SharedPolls1764651000000,
  TokenScopes1764652000000,
  BotsOfGroups1764653000000,
  Snooze1764660000000,
  SnoozeIndex1764661000000,
  PersonalReplies1764665000000,
  ReportIndexes1764670000000,
  OfficeHours1764671000000,
  WidgetSightings1764672000000,
  MessageRatings1764680000000,
  StoreAddresses1764681000000,
  VisitorBlocks1764682000000,
  Captcha1764683000000,
  MessagesWithoutForeignKey1764690000000,
  WidgetPictures1764710000000,
  Away1764720000000,
  ChatFollowers1764720001000,
  AppendMessages1764740000000,
  ChatTitles1764750000000,
  ListsOfWebhooks1764751000000,
  TakeEvents1764800000000,
  ChangeEpochs1764801000000,
  AttemptsWithoutForeignKey1764810000000,
  EndedSnoozes1764830000000,
  TakeEvents21764851000000,
  AppendMessages21764860000000,
  TakeEvents31764870000000,
  ChangeWritersOfSchema1764890000000,
  ForgivenFailures1764900000000,
  KnownNetworks1764901000000,
  RatingChanges1764910000000,
  FoldText1764920000000,
  FoldedVisitors1764920001000,
  FoldedAgents1764920002000,
  BotLimits1764930000000,
  BotSilences1764931000000,
  OnlyOwnChatsOfBots1764940000000,
  OnlyOwnChatsOfOrganizations1764941000000,
  CausesOfHandoffs1764950000000,
  SecretKeyCheck1765020000000,
  PreviousIdentitySecrets1765021000000,
  OrganizationGrace1765040000000,
  InstallationEntries1765041000000,
  Operators1765042000000,
  Files1766030000000,
  FilesOfMessages1766031000000,
  FilesOfNotes1766032000000,
  VisitorUploads1766033000000,
  FileQuota1766034000000,
  Search1766040000000,
  BotConnections1766058000000,
  ConversationRemovals1766059000000,
  Mails1766070000000,
  MissedAnswers1766071000000,
  Tags1766080000000,
  SenderIsAi1766090000000,
  InboundMails1766100000000,
  BotUsage1766075000000,
  Mailbox1766110000000,
  Transcripts1766112000000,
  Push1766140000000,
  MailsToAgents1766145000000,
  BotNote1766146000000,
  Attributes1766160000000,
  AppendMessages41766161000000,
  SavedViews1766170000000,
  AttributeKeys1766183000000,
  PresenceAt1766172000000,
  SchemaRelease1766193000000,
  StoppedTurns1766201000000,
  TaggedChatsIndex1766202000000,
  MailsToCheckIndex1766203000000,
];

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/**
 * Query planner settings. Sequential scans are off: every statement finds its rows by an index, and a plan that was
 * cached while a table was small must also fit a large one. Generic plans only: replanning for other values takes
 * longer than the statements. No JIT compilation: the statements are short.
 */
export const PLANNING = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan';

/**
 * On a Citus cluster, the coordinator needs the values of a statement to find the shard. A statement about all shards uses one connection
 * to each worker: by default, Citus opens more after 10 ms, and starting one takes longer than asking the shards in turn.
 */
export const CLUSTER_PLANNING = `${PLANNING.replace('force_generic_plan', 'force_custom_plan')} -c citus.max_adaptive_executor_pool_size=1`;

/**
 * The PostgreSQL function that warns when its wait for a synchronous standby is canceled. Other warnings have the same
 * SQLSTATE.
 */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

const QUERY_CANCELED = '57014';

interface SafeConfig {
  hosts: DatabaseHosts;
  standby: Standby;
  silentWorkers: SilentWorkers;
  lockout: Lockout;
  locks: LockWatch;
  isDistributed?: boolean;
}

/**
 * A connection whose loss never becomes an unhandled error, which would end the process. The pool handles errors of an
 * idle connection, and TypeORM errors of a connection in use, but a connection may be lost in between or report its end
 * twice.
 *
 * It enforces the silence limit itself: node-postgres creates a timer per query (`query_timeout`) that keeps the rows
 * of all queries in memory until the next full garbage collection.
 */
class SafeClient extends WriterClient {
  /** Whether the database is a Citus cluster. */
  readonly isDistributed: boolean;
  private readonly standby: Standby;
  private readonly silentWorkers: SilentWorkers;
  private readonly lockout: Lockout;
  private readonly locks: LockWatch;

  constructor(config: ClientConfig & SafeConfig) {
    super(config);
    this.standby = config.standby;
    this.silentWorkers = config.silentWorkers;
    this.lockout = config.lockout;
    this.locks = config.locks;
    this.isDistributed = config.isDistributed === true;
    this.on('notice', ({ routine, message }) => {
      // The statement's own result is still on its way, and would report success.
      if (routine === WAIT_FOR_STANDBY) this.fail(new ReplicationCancelled(message));
    });
    this.on('connect', () => {
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      // Not as the second argument: that listener would be called once, even for an idle connection.
      stream.setTimeout(TIME_LIMITS_MS.commit);
      stream.on('timeout', () => {
        if (!this.hasQuery) return;
        this.standby.checkSoon();
        this.locks.checkSoon();
        if (this.isDistributed) this.silentWorkers.checkSoon();
        const { bytesRead } = stream;
        const end = () => stream.bytesRead === bytesRead && stream.destroy(new Error('Query read timeout'));
        setTimeout(end, TIME_LIMITS_MS.silence - TIME_LIMITS_MS.commit).unref();
      });
    });
  }

  // node-postgres accepts eight forms of this call.
  override query(...call: unknown[]): never {
    const error =
      this.lockout.findRefusal(call[0]) ??
      this.standby.findRefusal(call[0]) ??
      this.silentWorkers.findRefusal(valuesOf(call));
    if (error) return refuse(error, call.at(-1)) as never;
    return (super.query as (...call: unknown[]) => never).apply(this, call);
  }

  // The coordinator reports a time-out before the silent worker has answered. If the pool lent this connection again, the next statement
  // would wait for that worker too.
  protected override onErrorCode(code: string): void {
    super.onErrorCode(code);
    if (this.isDistributed && code === QUERY_CANCELED) void this.end();
  }

  private get hasQuery(): boolean {
    return !(this as unknown as { readyForQuery: boolean }).readyForQuery;
  }
}

function valuesOf([statement, values]: unknown[]): unknown[] {
  if (Array.isArray(values)) return values;
  return (statement as { values?: unknown[] } | undefined)?.values ?? [];
}

function refuse(error: Error, callback: unknown): Promise<never> | void {
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(callback as (error: Error) => void, error);
}

export function serviceDataSource(url: string, poolSize: number): DataSourceOptions {
  const hosts = new DatabaseHosts(url);
  return {
    ...base(),
    poolSize,
    extra: {
      Client: SafeClient,
      hosts,
      standby: new Standby(hosts),
      silentWorkers: new SilentWorkers(hosts),
      lockout: new Lockout(),
      locks: new LockWatch(hosts),
      connectionTimeoutMillis: TIME_LIMITS_MS.connection,
      statement_timeout: TIME_LIMITS_MS.statement,
      keepAlive: true,
      options: `${PLANNING} -c idle_in_transaction_session_timeout=${TIME_LIMITS_MS.pause}`,
    },
  };
}

/** The data source of the service, with options that depend on its database. */
export async function createServiceDataSource(options: DataSourceOptions): Promise<DataSource> {
  const { hosts, ...extra } = (options as { extra: { hosts: DatabaseHosts; options: string } }).extra;
  // A role's own limit may be shorter than its slowest answer.
  const limits = { statement_timeout: TIME_LIMITS_MS.statement, connectionTimeoutMillis: TIME_LIMITS_MS.connection };
  const client = new WriterClient({ hosts, ...limits, options: optionsOf() });
  await client.connect();
  try {
    const query = async (text: string) => (await client.query(text)).rows as never;
    const [session] = (await query(READ_SESSION)) as Session[];
    const own = `${extra.options} ${optionsOf(session)}`;
    if (!(await isCluster(query)))
      return new DataSource({ ...options, extra: { ...extra, hosts, options: own } } as DataSourceOptions);
    const planning = own.replace(PLANNING, CLUSTER_PLANNING);
    // A new connection is slow until it has used each shard once, so idle ones are kept.
    const cluster = { options: planning, isDistributed: true, idleTimeoutMillis: 0 };
    return new DataSource({ ...options, extra: { ...extra, hosts, ...cluster } } as DataSourceOptions);
  } finally {
    await client.end();
  }
}

/** Migrations have no statement timeout, even if the role has one. */
export const NO_TIME_LIMITS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0';

/**
 * A change that waits for its table blocks all later statements on that table, so it waits 1 s at most, far less than a
 * statement may take. Tables that only grow, as some servers make them by default, can't be updated.
 */
const MIGRATION_OPTIONS = `${NO_TIME_LIMITS} -c default_table_access_method=heap -c check_function_bodies=on`;

/**
 * The data source for migrations: one connection.
 * @param indexWait milliseconds that an index build may wait for each transaction of others (`migrations/support/concurrently.ts`)
 */
export function migrationDataSource(url: string, session?: Session, indexWait?: number): DataSource {
  const hosts = new DatabaseHosts(url);
  const wait = indexWait === undefined ? '' : option('parley.index_wait', `${indexWait}ms`);
  const options = `${MIGRATION_OPTIONS} ${optionsOf(session)} ${option('lock_timeout', '1s')} ${wait}`;
  return new DataSource({
    ...base(),
    // TypeORM would print each failed attempt to the console, and the error already has the details.
    logger: 'debug',
    poolSize: 1,
    extra: { Client: WriterClient, hosts, keepAlive: true, options },
  });
}

// Without an address: each connection finds the host that accepts writes.
function base() {
  return {
    type: 'postgres',
    applicationName: 'parley',
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  } as const;
}
