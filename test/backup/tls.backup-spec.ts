import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { findAccount } from '../support/debian-postgres.mjs';
import { until } from '../support/eventually.js';

/** The server's certificate is for another host than 127.0.0.1, and signed by an unknown CA. */
describe('TLS to a database with a CA of its own', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-tls-'));
  const file = (name: string) => join(directory, name);
  let database: TestDatabase;

  beforeAll(async () => {
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.pem');
    openssl('req', ...key, '-subj', '/CN=db.internal', '-keyout', 'db.key', '-out', 'db.csr');
    openssl(
      'x509',
      '-req',
      '-in',
      'db.csr',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-out',
      'db.pem',
    );
    const { uid, gid } = findAccount();
    if (uid !== undefined) for (const name of ['', 'db.key', 'db.pem']) chownSync(file(name), uid, gid!);
    database = await createDatabase();
    const set = (name: string, value: string) => queryOnce(database.url, `ALTER SYSTEM SET ${name} = '${value}'`);
    await set('ssl_cert_file', file('db.pem'));
    await set('ssl_key_file', file('db.key'));
    await set('ssl', 'on');
    await queryOnce(database.url, 'SELECT pg_reload_conf()');
    const inUse = `SELECT FROM pg_settings WHERE name = 'ssl' AND setting = 'on'`;
    await until('the server has TLS', async () => (await queryOnce(database.url, inUse)).length > 0);
  });
  afterAll(async () => {
    await queryOnce(database.url, 'ALTER SYSTEM SET ssl = off');
    await queryOnce(database.url, 'SELECT pg_reload_conf()');
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  const CHECKS = /Parley checks the server's certificate in every sslmode but no-verify and verify-ca/;
  const NAME = /altnames.*; .*: use a host that it names, or sslmode=verify-ca with sslrootcert/;
  it.each([
    ['sslmode=disable', 'works'],
    ['sslmode=no-verify', 'works'],
    ['sslmode=verify-ca&sslrootcert=CA', 'works'],
    ['sslmode=require&sslrootcert=CA&uselibpqcompat=true', 'works'],
    ['sslmode=require', CHECKS],
    ['sslmode=prefer', CHECKS],
    ['sslmode=verify-full', CHECKS],
    ['sslmode=verify-full&sslrootcert=system', CHECKS],
    ['sslmode=require&sslrootcert=CA', NAME],
    ['sslmode=verify-full&sslrootcert=CA', NAME],
  ])('%s works, or an error says immediately what to write', async (query, expected) => {
    const url = `${database.url}?${query.replace('=CA', `=${file('ca.pem')}`)}`;
    const said = await migrate(url).then(
      () => 'works',
      ({ message }: Error) => message,
    );
    expect(said).toMatch(expected);
  });

  it('a server without TLS is named immediately', async () => {
    const plain = process.env.TEST_DATABASE_URL!;
    await queryOnce(plain, 'ALTER SYSTEM SET ssl = off');
    await queryOnce(plain, 'SELECT pg_reload_conf()');
    const off = `SELECT FROM pg_settings WHERE name = 'ssl' AND setting = 'off'`;
    await until('the server has no TLS', async () => (await queryOnce(plain, off)).length > 0);
    await expect(migrate(`${database.url}?sslmode=verify-full`)).rejects.toThrow(
      /does not support SSL connections; the server has no TLS: turn it on there, or write sslmode=disable/,
    );
  });
});
