import { describe, expect, it } from '@jest/globals';
import { addressOf, hostsOf } from './database-url.js';

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
    ['http://a/parley', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres://a,b:x/parley', 'must have hosts like a.example:5432,b.example:5432, not "b:x"'],
    ['postgres://a,,b/parley', 'must have hosts like a.example:5432,b.example:5432, not ""'],
    ['postgres://a:99999,b/parley', 'must have hosts like a.example:5432,b.example:5432, not "a:99999"'],
    [
      'postgres://a,b/parley?target_session_attrs=standby',
      'must lead to the database that accepts writes: use target_session_attrs=read-write, not standby',
    ],
  ])('%s is rejected with a reason', (url, reason) => {
    expect(() => hostsOf(url)).toThrow(reason);
  });
});
