import base from './jest.config.mjs';

/** What needs a browser: `npm run test:browser`. */
export default {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testRegex: '\\.browser-spec\\.ts$',
  testTimeout: 60_000,
  maxWorkers: 1,
};
