import base from './jest.config.mjs';

/** What a stranger might do to hurt others: `npm run test:abuse`. */
export default {
  ...base,
  roots: ['<rootDir>/test/abuse'],
  testRegex: '\\.abuse-spec\\.ts$',
  testTimeout: 120_000,
  // Each measures what it costs others: two at once would measure one another.
  maxWorkers: 1,
  // An attack that succeeds leaves connections open.
  forceExit: true,
};
