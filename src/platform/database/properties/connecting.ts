import { addressOf, ENCODE } from '../../config/database-url.js';
import { databaseCode } from '../database-problem.js';

const CERTIFICATES = "Parley checks the server's certificate in every sslmode but no-verify and verify-ca";
const SIGNER = `${CERTIFICATES}: add sslrootcert=FILE with the certificate of who signed it`;

/** The remedies for errors of connecting, found by the error's code, its message, or both. */
const REMEDIES: { pattern: RegExp; remedy: string }[] = [
  {
    pattern: /startup parameter|command-line options/i,
    remedy:
      'a pooler refuses what Parley sets when it connects: ignore_startup_parameters = extra_float_digits,options,statement_timeout ' +
      'lets PgBouncer ignore it; others need a direct connection (docs/operate/managed-databases.md#poolers)',
  },
  { pattern: /^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/, remedy: SIGNER },
  {
    pattern: /^ERR_TLS_CERT_ALTNAME/,
    remedy: `${CERTIFICATES}: use a host that it names, or sslmode=verify-ca with sslrootcert`,
  },
  { pattern: /does not support SSL/, remedy: 'the server has no TLS: turn it on there, or write sslmode=disable' },
  { pattern: /no encryption|SSL off|SSL required|require_secure_transport/i, remedy: 'write sslmode=verify-full' },
];

/** What to do about a refused connection; empty if the message says it. */
export function remedyOf(error: unknown, url: string): string {
  const code = databaseCode(error) ?? '';
  const said = `${code} ${(error as Error).message}`;
  const known = REMEDIES.find(({ pattern }) => pattern.test(said));
  if (known) return known.remedy;
  // The password may be right, but a part of the URL was read as something else.
  return code === '28P01' && /^\w+:\/\/[^@]*(?:%|:[^@]*:)[^@]*@/.test(url) ? ENCODE : '';
}

/** The line to print if DATABASE_URL can't be connected to. */
export function explainConnection(error: unknown, url: string): string {
  const remedy = remedyOf(error, url);
  const said = `DATABASE_URL cannot be used: the database at ${addressOf(url)} said: ${reasonOf(error)}`;
  return remedy === '' ? said : `${said}; ${remedy}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return (error as Error).message || databaseCode(error) || 'no answer';
}
