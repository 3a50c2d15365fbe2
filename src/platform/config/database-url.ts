/** One host of DATABASE_URL. */
export interface Host {
  name: string;
  port: number;
  /** DATABASE_URL with only this host, percent-encoded as `URL` reads it. */
  url: string;
}

const DEFAULT_PORT = 5432;
const SCHEME = /^(postgres(?:ql)?:\/\/)(.*)$/s;
const ONE = /^(\[[0-9a-f:.%]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;
const WRITER = ['read-write', 'primary', 'any'];
/** Parameters whose value may contain an `@`. */
const WITH_AT = ['user', 'password', 'host', 'options', 'application_name', 'sslcert', 'sslkey', 'sslrootcert'];

/** How to write a URL whose parts are ambiguous. It never quotes the URL, because any part of it may belong to the password. */
export const ENCODE = 'if user, password, or database name contain @ : / ? # %, write them percent-encoded';
const HOSTS = `must have hosts like a.example:5432,b.example:5432; ${ENCODE}`;

/**
 * Reads the hosts of `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`. Parley always uses
 * the host that accepts writes, so `read-write`, `primary`, `any` and no `target_session_attrs` mean the same.
 * @throws Error whose message says what DATABASE_URL must be
 */
export function hostsOf(url: string): Host[] {
  const { scheme, user, list, path, query } = partsOf(url);
  const attributes = new URLSearchParams(query).get('target_session_attrs') ?? WRITER[0]!;
  if (!WRITER.includes(attributes)) {
    throw new Error(
      `must lead to the database that accepts writes: use target_session_attrs=read-write, not ${attributes}`,
    );
  }
  const others = query.split('&').filter((one) => one !== '' && !one.startsWith('target_session_attrs='));
  const rest = path + (others.length > 0 ? `?${others.join('&')}` : '');
  return list.split(',').map((text, _, { length }) => {
    const [, name = text, port = DEFAULT_PORT] = ONE.exec(text) ?? [];
    const isReadable = ONE.test(text) && Number(port) <= 65_535;
    // A single host may be empty, with the host in the query or in PGHOST.
    if (!isReadable && (length > 1 || text !== '')) throw new Error(HOSTS);
    return { name: name.replace(/^\[|\]$/g, ''), port: Number(port), url: `${scheme}${user}${text}${rest}` };
  });
}

interface Parts {
  scheme: string;
  /** User and password with the `@`; empty without. */
  user: string;
  list: string;
  /** The database name with the slash before it. */
  path: string;
  query: string;
}

/** @throws Error if a raw character of the user, password, or name could end another part */
function partsOf(url: string): Parts {
  const [, scheme, text] = SCHEME.exec(url.trim()) ?? [];
  if (scheme === undefined) throw new Error('must be a URL that starts with postgres:// or postgresql://');
  const [, authority, path, query = ''] = /^([^/?#]*)([^?#]*)(?:\?(.*))?$/s.exec(text!) ?? [];
  if (authority === undefined || path!.includes('@') || query.split('&').some(isAmbiguous)) {
    throw new Error(`can be read in several ways: ${ENCODE}`);
  }
  // A host has no @, so all but the last one belong to the password.
  const end = authority.lastIndexOf('@') + 1;
  return {
    scheme,
    user: end === 0 ? '' : `${encode(authority.slice(0, end - 1), ':')}@`,
    list: authority.slice(end),
    path: path === '' ? '' : `/${encode(path!.slice(1), '')}`,
    query,
  };
}

function isAmbiguous(parameter: string): boolean {
  const [name] = parameter.split('=', 1);
  return parameter.includes('#') || (parameter.includes('@') && !WITH_AT.includes(name!));
}

/** Encodes all but the separator, which is meant to be read the first time it occurs. */
function encode(text: string, separator: string): string {
  const at = separator === '' ? -1 : text.indexOf(separator);
  const parts = at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
  return parts.map((part) => encodeURIComponent(decode(part))).join(separator);
}

/** Decodes what's percent-encoded. A percent sign that encodes nothing stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    throw new Error('must be percent-encoded in UTF-8');
  }
}

/** The name of the database, decoded; undefined without one. */
export function databaseNameOf(url: string): string | undefined {
  return decode(partsOf(url).path.slice(1)) || undefined;
}

/** The hosts and the database name, without user and password. */
export function addressOf(url: string): string {
  try {
    const hosts = hostsOf(url).map(({ url: one }) => new URL(one));
    return hosts.map(({ host }) => host).join(',') + hosts[0]!.pathname;
  } catch {
    return 'an address that cannot be read';
  }
}
