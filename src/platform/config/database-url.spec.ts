import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parametersOf } from './database-connection.js';
import { addressOf, hostsOf } from './database-url.js';

/** A file that stands for a certificate: only its text is read here. */
const CA = fileURLToPath(import.meta.url);
const CERTIFICATE = readFileSync(CA, 'utf8');

describe('DATABASE_URL', () => {
  it('reads one host, with the standard port when none is given', () => {
    expect(hostsOf('postgres://u:p@db.example/parley')).toEqual([
      { name: 'db.example', port: 5432, url: 'postgres://u:p@db.example/parley' },
    ]);
  });

  it('reads several hosts, each with its own port', () => {
    const url = 'postgresql://u:p%40x@a:6432,[::1]:5433,c/parley?sslmode=require&target_session_attrs=read-write';
    expect(hostsOf(url).map(({ name, port }) => `${name} ${port}`)).toEqual(['a 6432', '::1 5433', 'c 5432']);
    expect(hostsOf(url)[1]!.url).toBe('postgresql://u:p%40x@[::1]:5433/parley?sslmode=require');
    expect(addressOf(url)).toBe('a:6432,[::1]:5433,c/parley');
  });

  it('accepts a local socket', () => {
    for (const url of ['postgres:///parley?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql/parley']) {
      expect(hostsOf(url)).toMatchObject([{ url }]);
    }
  });

  it.each([
    [
      'postgres://u:p%40ss%3Aw%23rd%2F100%25%3F%26%3D%2B%20%C3%A9@h/d',
      { password: 'p@ss:w#rd/100%?&=+ é', database: 'd' },
    ],
    ['postgres://u:p@ss@h/d', { user: 'u', password: 'p@ss', host: 'h' }],
    ['postgres://u@server:p@h/d', { user: 'u@server', password: 'p', host: 'h' }],
    ['postgres://u:100%@h/d', { password: '100%' }],
    ['postgres://u:a:b[c]d e^f|g"h@h/d', { user: 'u', password: 'a:b[c]d e^f|g"h' }],
    ['postgres://u:p@h/a%2Fb%23c%40d%25e%3Ff%20g', { database: 'a/b#c@d%e?f g' }],
    ['postgres://u:p@h/..%2F%252F', { database: '../%2F' }],
    ['postgres://u:p@h/d\n', { database: 'd' }],
    [
      'postgres:///d?user=u@x&password=p%23&host=/run/x&port=6000',
      { user: 'u@x', password: 'p#', host: '/run/x', port: 6000 },
    ],
    ['postgres://u:p@%2Frun%2Fpostgresql:5433/d', { host: '/run/postgresql', port: 5433 }],
    ['postgres://u:p@localhost/d?host=/run', { host: '/run' }],
    ['postgres://u:p@[::1]:5433/d', { host: '::1', port: 5433 }],
    ['postgres:///d', { host: undefined, user: undefined, password: undefined, database: 'd' }],
    ['postgres://h?dbname=d', { host: 'h', database: 'd' }],
    ['postgres://h/d?options=-csearch_path%3Dx&statement_timeout=0', { options: '-csearch_path=x' }],
  ])('%s is read as it was meant', (url, parameters) => {
    const [host] = hostsOf(url);
    expect(parametersOf(host!.url, {})).toMatchObject(parameters);
    expect(parametersOf(host!.url, {})).not.toHaveProperty('statement_timeout');
  });

  it.each([
    'postgres://u:p#ss@h/d',
    'postgres://u:p/ss@h/d',
    'postgres://u:12/34@h/d',
    'postgres://u:p?ss@h/d',
    'postgres://u:p?user=a@h/d',
    'postgres://u:p@m#5ZXK@h/d',
    'postgres://u:p@s/s@h/d',
    'postgres://u:p@s?s@h/d',
    'postgres://u:p@h/d#x',
    'postgres://u:p@h/a@b',
    'postgres://u:p@h:port/d',
    'postgres://u:p:5432/d',
  ])('%s is rejected immediately, with what to write and without the password', (url) => {
    expect(() => hostsOf(url)).toThrow(
      'if user, password, or database name contain @ : / ? # %, write them percent-encoded',
    );
    expect(() => hostsOf(url)).not.toThrow(/p#|ss@|34@|5ZXK|ss\b/);
  });

  const ssl = (query: string, environment: NodeJS.ProcessEnv = {}) =>
    parametersOf(hostsOf(`postgres://h/d?${query}`)[0]!.url, environment).ssl;

  it.each([
    ['', false],
    ['sslmode=disable', false],
    ['ssl=false', false],
    ['ssl=true', {}],
    ['sslmode=verify-full', {}],
    ['sslmode=require', {}],
    ['sslmode=prefer', {}],
    ['sslmode=no-verify', { rejectUnauthorized: false }],
    [`sslmode=require&sslrootcert=${CA}`, { ca: CERTIFICATE }],
    [`sslmode=verify-ca&sslrootcert=${CA}`, { ca: CERTIFICATE, checkServerIdentity: expect.any(Function) }],
    ['uselibpqcompat=true&sslmode=require', { rejectUnauthorized: false }],
  ])('TLS with "%s"', (query, expected) => expect(ssl(query)).toEqual(expected));

  it('TLS is set by the variables of libpq too', () => {
    expect(ssl('', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: CA })).toEqual({ ca: CERTIFICATE });
    expect(ssl('sslmode=disable', { PGSSLMODE: 'verify-full' })).toBe(false);
  });

  it.each([
    ['sslmode=verify_full', /must have an sslmode of verify-full, require,/],
    ['sslmode=verify-ca', /must have sslrootcert=FILE with sslmode=verify-ca; a public CA needs sslmode=verify-full/],
    ['sslmode=require&sslrootcert=system', /must have sslmode=verify-full together with sslrootcert=system/],
    ['sslmode=verify-full&sslrootcert=/missing', /has an sslrootcert that can't be read: ENOENT/],
  ])('TLS with "%s" is rejected immediately', (query, reason) => expect(() => ssl(query)).toThrow(reason));

  it.each([
    ['http://a/parley', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres://a,b:x/parley', 'must have hosts like a.example:5432,b.example:5432'],
    ['postgres://a,,b/parley', 'must have hosts like a.example:5432,b.example:5432'],
    ['postgres://a:99999,b/parley', 'must have hosts like a.example:5432,b.example:5432'],
    [
      'postgres://a,b/parley?target_session_attrs=standby',
      'must lead to the database that accepts writes: use target_session_attrs=read-write, not standby',
    ],
  ])('%s is rejected with a reason', (url, reason) => {
    expect(() => hostsOf(url)).toThrow(reason);
  });
});
