const WAITING = 'finds a statement that waits for a lock in pg_stat_activity; on a cluster, it waits on a worker';
const DEFAULT_GROUP = 'the database itself keeps one default group; on a cluster, the service alone does (decision 4)';
const PLAN = 'counts the rows that a plan reads; on a cluster, a worker reads them';
const TRIGGER = "creates a trigger on a distributed table, which writes into the test's own table";

/** What of the default suite can't run on a cluster, and why: all files under a path, or the tests whose names contain a text. */
export const ONE_POSTGRES_ONLY = [
  { path: 'src/', reason: 'unit tests need no database' },
  { path: 'test/admin/audit-filters.e2e-spec.ts', test: 'reads only the entries that it returns', reason: PLAN },
  { path: 'test/admin/default-group.e2e-spec.ts', test: 'direct SQL', reason: DEFAULT_GROUP },
  { path: 'test/admin/default-group.e2e-spec.ts', test: 'emptying the table of groups', reason: DEFAULT_GROUP },
  { path: 'test/admin/large-removals.e2e-spec.ts', test: 'a group with any number of chats', reason: TRIGGER },
  { path: 'test/admin/large-removals.e2e-spec.ts', test: 'an agent with any number of offers', reason: TRIGGER },
  { path: 'test/agent/fairness.slow-spec.ts', reason: TRIGGER },
  { path: 'test/agent/first-come.e2e-spec.ts', reason: TRIGGER },
  { path: 'test/agent/routing.e2e-spec.ts', test: 'who has reconnected', reason: WAITING },
  {
    path: 'test/agent/routing.e2e-spec.ts',
    test: 'a chat that a node of the previous release queues again',
    reason: 'that release has never run on a cluster',
  },
  { path: 'test/agent/sessions.e2e-spec.ts', test: 'one of two simultaneous password changes', reason: WAITING },
  { path: 'test/agent/sockets-end.e2e-spec.ts', test: 'whose session ends during the handshake', reason: WAITING },
  {
    path: 'test/agent/statements-of-changes.e2e-spec.ts',
    reason: 'counts statements; a cluster needs some more, each on one shard',
  },
  { path: 'test/bot/pull-waits.e2e-spec.ts', test: 'that is creating its first subscription', reason: WAITING },
  {
    path: 'test/changes/changes.e2e-spec.ts',
    test: 'a page is read by an index',
    reason: PLAN,
  },
  {
    path: 'test/changes/open-transactions.e2e-spec.ts',
    reason: 'reads the epoch of the whole database; on a cluster, each organization has its own (test/citus/changes)',
  },
  {
    path: 'test/database/',
    reason: 'reads plans, locks, and migrations of one PostgreSQL; test/citus reads those of a cluster',
  },
  { path: 'test/live/sockets-that-left.e2e-spec.ts', reason: WAITING },
  { path: 'test/messages/batches.e2e-spec.ts', reason: WAITING },
  { path: 'test/operations/overload.e2e-spec.ts', reason: WAITING },
  { path: 'test/visitor/identity.e2e-spec.ts', test: 'a merge opens nothing for a client', reason: WAITING },
  { path: 'test/visitor/identity.e2e-spec.ts', test: 'a merge waits for a message', reason: WAITING },
];
