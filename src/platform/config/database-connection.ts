import { readFileSync } from 'node:fs';
import tls, { type ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { databaseNameOf } from './database-url.js';

/** Which certificates each `sslmode` accepts. The first four check the name in it too, `verify-ca` only who signed it. */
const MODES = ['verify-full', 'require', 'prefer', 'allow', 'verify-ca', 'no-verify', 'disable'];
const FILES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;

/**
 * How to connect to one host of DATABASE_URL, read once for all drivers: node-postgres doesn't decode the name of a database completely,
 * and its parameters in a URL replace Parley's. What's missing here comes from the `PG…` variables.
 * @throws Error whose message says what DATABASE_URL must be
 */
export function parametersOf(url: string, environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  const { hostname, port, username, password, searchParams } = new URL(url);
  const given = (name: string) => searchParams.get(name) || undefined;
  const decoded = (text: string) => decodeURIComponent(text) || undefined;
  const ownPort = given('port') ?? port;
  return {
    host: given('host') ?? decoded(hostname.replace(/^\[(.+)\]$/, '$1')),
    ...(ownPort && { port: Number(ownPort) }),
    user: given('user') ?? decoded(username),
    password: given('password') ?? decoded(password),
    database: databaseNameOf(url) ?? given('dbname'),
    application_name: given('application_name'),
    options: given('options') ?? environment.PGOPTIONS,
    ssl: sslOf(searchParams, environment),
    ...(given('sslnegotiation') && { sslnegotiation: given('sslnegotiation') as 'direct' }),
  };
}

function sslOf(query: URLSearchParams, environment: NodeJS.ProcessEnv): ConnectionOptions | boolean {
  const given = (name: string) => query.get(name) || environment[`PG${name.toUpperCase()}`] || undefined;
  const files = Object.values(FILES).filter((name) => given(name) !== undefined);
  const mode = given('sslmode') ?? modeOf(query, files);
  if (!MODES.includes(mode)) throw new Error(`must have an sslmode of ${MODES.join(', ')}`);
  if (mode === 'disable') return false;
  if (given('sslrootcert') === 'system' && mode !== 'verify-full')
    throw new Error('must have sslmode=verify-full together with sslrootcert=system');
  return { ...filesOf(given), ...checksOf(mode, given('sslrootcert') !== undefined, query) };
}

/** The mode of a URL without `sslmode`: the other ways to ask for TLS check the certificate completely. */
function modeOf(query: URLSearchParams, files: string[]): string {
  const ssl = query.get('ssl');
  if (ssl === 'no-verify') return ssl;
  if (ssl === '0' || ssl === 'false') return 'disable';
  return ssl || files.length > 0 || query.get('sslnegotiation') === 'direct' ? 'verify-full' : 'disable';
}

function checksOf(mode: string, hasCa: boolean, query: URLSearchParams): ConnectionOptions {
  const isCompatible = query.get('uselibpqcompat') === 'true' && ['require', 'prefer', 'allow'].includes(mode);
  if (mode === 'no-verify' || (isCompatible && !hasCa)) return { rejectUnauthorized: false };
  if (mode !== 'verify-ca' && !isCompatible) return {};
  if (!hasCa)
    throw new Error('must have sslrootcert=FILE with sslmode=verify-ca; a public CA needs sslmode=verify-full');
  return { checkServerIdentity: () => undefined };
}

function filesOf(given: (name: string) => string | undefined): ConnectionOptions {
  const found = Object.entries(FILES).flatMap(([option, name]) => {
    const path = given(name);
    return path === undefined ? [] : [[option, path === 'system' ? systemCas() : read(name, path)]];
  });
  return Object.fromEntries(found) as ConnectionOptions;
}

// Before version 22.15, Node can't read the system's certificates.
function systemCas(): string[] | undefined {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'system') => string[] };
  return getCACertificates && [...tls.rootCertificates, ...getCACertificates('system')];
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`has an ${name} that can't be read: ${(error as Error).message}`);
  }
}
