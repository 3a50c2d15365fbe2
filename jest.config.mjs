import { availableParallelism } from 'node:os';
import { ONE_POSTGRES_ONLY } from './test/citus/support/one-postgres-only.mjs';

/** `scripts/test.mjs` names the suite in this variable. Without it, jest runs the tests of `npm test`. */
const suite = process.env.TEST_SUITE || 'default';

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '@swc/jest' },
  reporters: ['default', '<rootDir>/test/support/count-reporter.mjs'],
  // Ends a test that hangs, but leaves enough time for a busy machine.
  testTimeout: 120_000,
};

const embeddedPostgres = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

/** Tests that run in Node itself, beside each other. */
const inNode = (ending) => ({
  ...shared,
  ...embeddedPostgres,
  runtime: '<rootDir>/test/support/runtime/runtime.mjs',
  testEnvironment: '<rootDir>/test/support/runtime/environment.mjs',
  injectGlobals: false,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  setupFilesAfterEnv: ['<rootDir>/test/support/check-answers.ts'],
  testRegex: `\\.(${ending})\\.ts$`,
  // Tests mostly wait, so two cores get three workers.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // What a file has loaded stays in its worker until that ends: 40 MB and more, which slow down each garbage collection.
  workerIdleMemoryLimit: '500MB',
  // A process with 1 GB takes up to a second to exit. By default, jest kills it after 0.5 s, as if something were left open.
  workerGracefulExitTimeout: 10_000,
});

/** The `x.<name>-spec.ts` files of `test/<name>`, one file after the other unless a suite says otherwise. */
const folder = (name) => ({
  ...shared,
  roots: [`<rootDir>/test/${name}`],
  testRegex: `\\.${name}-spec\\.ts$`,
  maxWorkers: 1,
});

/**
 * One configuration per suite. They are not jest `projects`: a project cannot have its own `testTimeout`, `maxWorkers`
 * or `forceExit`.
 *
 * @type {Record<string, import('jest').Config>}
 */
const SUITES = {
  // Unit tests beside the source, and tests of the service that need PostgreSQL only.
  default: inNode('spec|e2e-spec'),
  // The same in files that take over half a minute on a busy machine.
  slow: inNode('slow-spec'),
  // The service and the command line as processes of their own, which people start and which are killed.
  processes: { ...folder('processes'), ...embeddedPostgres, maxWorkers: '100%' },
  // Tests that need Chromium.
  browser: { ...folder('browser'), ...embeddedPostgres, testTimeout: 240_000 },
  // Attacks by strangers. Each test measures what an attack costs others, so no two run together. An attack that succeeds leaves
  // connections open, so jest exits without waiting for them.
  abuse: { ...folder('abuse'), ...embeddedPostgres, testTimeout: 240_000, forceExit: true },
  // Tests that need redis-server or Dovecot.
  redis: { ...folder('redis'), ...embeddedPostgres },
  // The previous release on the schema of this one.
  upgrade: { ...folder('upgrade'), ...embeddedPostgres },
  // Tests that need pg_dump and a PostgreSQL server of its version.
  backup: {
    ...folder('backup'),
    globalSetup: '<rootDir>/test/backup/support/global-setup.mjs',
    globalTeardown: '<rootDir>/test/backup/support/global-teardown.mjs',
  },
  // Bots on other runtimes than Node, which are installed when they're first needed.
  platforms: { ...folder('platforms'), ...embeddedPostgres },
  // Bots with agent frameworks, which are installed when they're first needed.
  frameworks: { ...folder('frameworks'), ...embeddedPostgres },
  // The packages of a release, installed from a registry of the tests' own.
  release: { ...folder('release') },
  // Tests that need a Docker Engine; they start their own PostgreSQL.
  compose: { ...folder('compose'), testTimeout: 120_000 },
  // The primary database dies; the tests start their own primaries and standbys.
  failover: { ...folder('failover'), testTimeout: 120_000 },
  // The coordinator of a Citus cluster with two workers in the variable CITUS_URL; each test creates its own database there.
  citus: { ...folder('citus'), ...embeddedPostgres, testTimeout: 240_000 },
  // Failures of parts of an installation while it is used; most tests start their own PostgreSQL.
  faults: { ...folder('faults'), ...embeddedPostgres, testTimeout: 240_000 },
};

// The suites `default` and `slow`, with their databases on that cluster.
SUITES['citus-default'] = {
  ...inNode('spec|e2e-spec|slow-spec'),
  testEnvironment: '<rootDir>/test/citus/support/environment.mjs',
  testPathIgnorePatterns: [
    '/node_modules/',
    ...ONE_POSTGRES_ONLY.flatMap(({ path, test }) => (test === undefined ? [`<rootDir>/${path}`] : [])),
  ],
};

if (!Object.hasOwn(SUITES, suite)) {
  throw new Error(`TEST_SUITE must be one of ${Object.keys(SUITES).join(', ')}; it is ${suite}`);
}

export default SUITES[suite];
