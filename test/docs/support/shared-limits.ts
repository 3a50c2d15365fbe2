import { SEARCH_CONNECTIONS } from '../../../src/platform/database/pools/search-pool.js';
import { MAX_KEYS } from '../../../src/auth/limits/daily-allowance.js';
import { BATCH as BATCH_OF_FILES } from '../../../src/files/removals.service.js';
import { CONCURRENCY } from '../../../src/mail/sending/outbox.service.js';
import { MAX_TYPISTS } from '../../../src/live/typing/typing-indicators.js';
import { MAX_WAITING } from '../../../src/messages/appender.service.js';
import {
  MAX_CHECKS,
  MAX_CHECKS_OF_ONE,
  MAX_UNPROVEN_CHECKS,
} from '../../../src/organizations/captcha/captcha-checks.js';
import {
  CONCURRENCY as MAX_ASKED,
  SLICE_MS as SLICE_OF_REMOVALS,
} from '../../../src/bot-connections/forgetting/conversation-removals.service.js';
import { MAX_RUNS } from '../../../src/bot-connections/engine/engine.service.js';
import { MAX_CACHED } from '../../../src/organizations/public-widgets.js';
import { MAX_FETCHES, MAX_FETCHES_OF_ORGANIZATION } from '../../../src/pictures/picture-fetches.js';
import { SLICE_MS as SLICE_OF_RETENTION } from '../../../src/privacy/turns.js';
import { SLICE_MS } from '../../../src/search/index/feed.service.js';
import { MAX_WAITING_IN_PROCESS } from '../../../src/platform/http/server/waiting-requests.js';
import { MAX_CONCURRENT } from '../../../src/webhooks/dispatch.queries.js';
import { MAX_IN_FLIGHT } from '../../../src/webhooks/dispatcher.js';

/** A row of "What organizations share" on the security page. */
interface SharedLimit {
  what: string;
  /** The spec that proves it, and the title of its test. */
  spec: string;
  test: string;
  /** Numbers that the row names. */
  bounds?: readonly number[];
}

const BATCH = {
  spec: 'src/platform/lib/batch.spec.ts',
  test: 'requests are refused immediately when too many wait, and accepted again once the batch has run',
};

export const SHARED_LIMITS: readonly SharedLimit[] = [
  {
    what: 'password hashes',
    spec: 'test/agent/sign-in-turns.e2e-spec.ts',
    test: "another organization's sign-in passes the sign-ins of an agent with many known networks",
  },
  {
    what: 'an email address',
    spec: 'test/agent/shared-address.e2e-spec.ts',
    test: "links and passwords of the other tenant's agent reset no limit of the victim",
  },
  {
    what: 'captcha checks',
    spec: 'test/visitor/captcha-shares.e2e-spec.ts',
    test: "%s don't refuse the visitors of another one",
    bounds: [MAX_CHECKS, MAX_UNPROVEN_CHECKS, MAX_CHECKS_OF_ONE],
  },
  {
    what: 'pictures that are fetched',
    spec: 'test/files/pictures.e2e-spec.ts',
    test: 'an organization whose hosts are silent can have four pictures fetched, and others go on',
    bounds: [MAX_FETCHES, MAX_FETCHES_OF_ORGANIZATION],
  },
  {
    what: 'webhook attempts',
    spec: 'test/webhooks/lanes.slow-spec.ts',
    test: "100,000 deliveries that wait for a dead webhook don't delay the others",
    bounds: [MAX_IN_FLIGHT, MAX_CONCURRENT, 50 * MAX_CONCURRENT],
  },
  {
    what: 'runs of bots by address',
    spec: 'test/bot-connections/fairness.e2e-spec.ts',
    test: "an organization's runs leave room for another one's",
    bounds: [MAX_RUNS, MAX_RUNS / 2],
  },
  {
    what: 'conversations that endpoints remove',
    spec: 'test/bot-connections/dify.e2e-spec.ts',
    test: "an organization whose endpoint doesn't answer delays no other one's removals",
    bounds: [MAX_ASKED, (2 * SLICE_OF_REMOVALS) / 1000],
  },
  {
    what: 'e-mails on their way',
    spec: 'test/mail/sending.e2e-spec.ts',
    test: "an organization's mails to a slow server delay another one's by one mail",
    bounds: [CONCURRENCY],
  },
  {
    what: 'files to remove',
    spec: 'test/files/removal.e2e-spec.ts',
    test: 'goes on after a batch, and leaves turns to other organizations',
    bounds: [BATCH_OF_FILES.concurrency],
  },
  {
    what: 'retention, and removed organizations',
    spec: 'src/privacy/turns.spec.ts',
    test: 'work for several organizations takes turns, and one that fails ends alone',
    bounds: [SLICE_OF_RETENTION / 1000],
  },
  {
    what: 'the search index',
    spec: 'test/search/feed.e2e-spec.ts',
    test: 'the rebuild of one organization, and the changes of another one, delay no third',
    bounds: [SLICE_MS],
  },
  {
    what: 'searches',
    spec: 'test/search/turns.e2e-spec.ts',
    test: 'an organization whose searches take all of their time leaves a turn to another one',
    bounds: [SEARCH_CONNECTIONS],
  },
  {
    what: 'pending events of bots',
    spec: 'test/bot/pull-limits.e2e-spec.ts',
    test: 'at most 100,000 events are pending, and the oldest are dropped',
  },
  {
    what: 'database connections',
    spec: 'test/operations/overload.e2e-spec.ts',
    test: 'overload is answered immediately, and accepted requests are done',
  },
  {
    what: 'database turns of visitors',
    spec: 'test/abuse/resource-exhaustion.abuse-spec.ts',
    test: 'a flood from one address barely delays the visitors of another',
  },
  {
    what: 'reports, searches, and exports',
    spec: 'test/operations/heavy-reads.e2e-spec.ts',
    test: "one organization's reports take a quarter of the connections, and others take turns with them",
    bounds: [4_000, 500],
  },
  { what: 'messages to store', ...BATCH, bounds: [MAX_WAITING] },
  {
    what: 'messages that wait for their chat',
    spec: 'test/operations/overload.e2e-spec.ts',
    test: "many requests that wait for one chat don't stop the service",
  },
  { what: 'token checks', ...BATCH },
  { what: 'typing reports', ...BATCH },
  {
    what: 'typing and live texts',
    spec: 'src/live/typing/typing-for-visitors.spec.ts',
    test: 'keeps at most 10,000 typists',
    bounds: [MAX_TYPISTS],
  },
  {
    what: 'widget settings in memory',
    spec: 'test/visitor/widget-settings.e2e-spec.ts',
    test: 'cached settings cost no query, and show every change immediately',
    bounds: [MAX_CACHED],
  },
  {
    what: 'counters of rates',
    spec: 'src/auth/limits/rate-limit.spec.ts',
    test: 'keys beyond 100,000 share counters',
  },
  {
    what: 'counters of quotas',
    spec: 'src/auth/limits/daily-allowance.spec.ts',
    test: 'a bounded number of keys is kept, and the keys that spent most stay longest',
    bounds: [MAX_KEYS],
  },
  {
    what: 'unread answers',
    spec: 'test/abuse/memory.abuse-spec.ts',
    test: 'the service survives unread responses, each on its own connection',
  },
  {
    what: 'waiting requests',
    spec: 'test/operations/pipelining.e2e-spec.ts',
    test: 'at most 1,000 requests wait in a process',
    bounds: [MAX_WAITING_IN_PROCESS],
  },
  {
    what: 'log lines about captchas and redirects',
    spec: 'src/platform/telemetry/log-sampler.spec.ts',
    test: 'admits 200 lines of all causes, and names up to 100 causes',
  },
];
