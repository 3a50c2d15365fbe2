/** One host of DATABASE_URL. */
export interface Host {
  name: string;
  port: number;
  /** DATABASE_URL with only this host. */
  url: string;
}

const DEFAULT_PORT = 5432;
const FORM = /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^@/?]*)([^?]*)(?:\?(.*))?$/s;
const ONE = /^(\[[0-9a-f:.%]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;
const WRITER = ['read-write', 'primary', 'any'];

/**
 * Reads the hosts of `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`. Parley always uses
 * the host that accepts writes, so `read-write`, `primary`, `any` and no `target_session_attrs` mean the same.
 * @throws Error whose message says what DATABASE_URL must be
 */
export function hostsOf(url: string): Host[] {
  const [, scheme, user = '', list, path = '', query = ''] = FORM.exec(url) ?? [];
  if (list === undefined) throw new Error('must be a URL that starts with postgres:// or postgresql://');
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
    // A single host may be a local socket, or empty with the host in the query.
    if (!isReadable && length > 1) throw new Error(`must have hosts like a.example:5432,b.example:5432, not "${text}"`);
    return { name: name.replace(/^\[|\]$/g, ''), port: Number(port), url: `${scheme}${user}${text}${rest}` };
  });
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
