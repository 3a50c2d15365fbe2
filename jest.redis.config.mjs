import base from './jest.config.mjs';

/** What needs a redis-server of its own: `npm run test:redis`. */
export default {
  ...base,
  roots: ['<rootDir>/test/nodes'],
  testRegex: '\\.redis-spec\\.ts$',
  maxWorkers: 1,
};
