import { describe, expect, it } from '@jest/globals';
import { loadConfig, trustedProxies } from './config.js';

const SECRETS = { ADMIN_TOKEN: 'test-admin-token', SECRET_KEY: 'test-secret-key' };
const load = (environment: NodeJS.ProcessEnv = {}) => loadConfig({ ...SECRETS, ...environment });

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
  ])('%j is rejected', (TRUST_PROXY) => expect(() => load({ TRUST_PROXY })).toThrow(/^TRUST_PROXY must be a number/));
});

describe('PUBLIC_URL', () => {
  it.each(['http://localhost:3000', 'https://chat.example.com/', 'https://example.com/chat'])(
    '%s is accepted',
    (PUBLIC_URL) => expect(load({ PUBLIC_URL }).PUBLIC_URL).toBe(PUBLIC_URL),
  );

  it.each([
    'chat.example.com',
    'https://a.example/?',
    'https://a.example/?b=c',
    'https://a.example/#/',
    'https://a:b@c.example',
    'https://a@c.example',
  ])('%s is rejected', (PUBLIC_URL) =>
    expect(() => load({ PUBLIC_URL })).toThrow(/^PUBLIC_URL must be an http\(s\) URL without/),
  );

  it.each([
    ['http://localhost:3000', ''],
    ['https://chat.example.com/', ''],
    ['https://example.com/chat', '/chat'],
    ['https://example.com/chat/', '/chat'],
    ['HTTPS://example.com/a/b-c/~d_e.f', '/a/b-c/~d_e.f'],
    ['https://example.com/api/parley', '/api/parley'],
    ['https://example.com/consoles', '/consoles'],
  ])('the path of %s is %j', (PUBLIC_URL, path) => expect(load({ PUBLIC_URL }).basePath).toBe(path));

  it('without PUBLIC_URL, there is no path', () => expect(load().basePath).toBe(''));

  it.each([
    'https://example.com/a%20b',
    'https://example.com/%63hat',
    'https://example.com/a//b',
    'https://example.com/a/../b',
    'https://example.com/./a',
    'https://example.com/..',
    'https://example.com/gespräch',
    'https://example.com/a+b',
    'https://example.com/a;b',
    `https://example.com/${'a'.repeat(100)}`,
  ])('the path of %s is rejected', (PUBLIC_URL) =>
    expect(() => load({ PUBLIC_URL })).toThrow(
      'PUBLIC_URL must have a path of at most 100 letters, digits, and -._~ between single slashes, or none',
    ),
  );

  it.each(['/console', '/Console/', '/api', '/api/bot', '/docs/chat', '/widget.js', '/socket.io', '/health/live'])(
    'the path %s, which is one of our own, is rejected',
    (path) =>
      expect(() => load({ PUBLIC_URL: `https://example.com${path}` })).toThrow(
        /^PUBLIC_URL must not have a path that begins like Parley's own \//,
      ),
  );
});

describe('NODE_ENV', () => {
  it.each(['', 'development', 'test'])('%j does not mean production', (NODE_ENV) =>
    expect(load({ NODE_ENV }).isProduction).toBe(false),
  );

  it.each(['Production', 'production ', 'prod'])('%j is rejected', (NODE_ENV) =>
    expect(() => load({ NODE_ENV })).toThrow('NODE_ENV must be one of production, development, test'),
  );
});
