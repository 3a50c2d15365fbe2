import { describe, expect, it } from '@jest/globals';
import { loadConfig, trustedProxies } from './config.js';

const SECRETS = { ADMIN_TOKEN: 'test-admin-token', SECRET_KEY: 'test-secret-key' };
const load = (environment: NodeJS.ProcessEnv) => loadConfig({ ...SECRETS, ...environment });

describe('TRUST_PROXY', () => {
  it.each<[string, number | string[] | false]>([
    ['', false],
    ['0', 0],
    ['1 ', 1],
    [' 2', 2],
    [' 10.0.0.0/8 , loopback', ['10.0.0.0/8', 'loopback']],
    ['10.0.0.0/255.0.0.0,::1,fd00::/8', ['10.0.0.0/255.0.0.0', '::1', 'fd00::/8']],
    ['linklocal,uniquelocal', ['linklocal', 'uniquelocal']],
  ])('%j trusts %j', (TRUST_PROXY, proxies) => expect(trustedProxies(load({ TRUST_PROXY }))).toEqual(proxies));

  it.each([
    '0x1',
    '-1',
    '1.5',
    '1, 10.0.0.0/8',
    '10.0.0',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/8,',
    ' ',
    'LOOPBACK',
    'proxy',
  ])('%j is refused', (TRUST_PROXY) => expect(() => load({ TRUST_PROXY })).toThrow(/^TRUST_PROXY must be a number/));
});
