import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The private hosts and networks that WEBHOOK_ALLOWED_HOSTS allows. */
export interface AllowedHosts {
  /** `host` or `host:port`, as URLs spell it. */
  names: ReadonlySet<string>;
  networks: readonly [Address, number][];
}

/** Parses `bot, bot:8080, 10.0.0.0/8, 127.0.0.1, [::1]:3000`. @throws Error that names the wrong entry */
export function parseAllowedHosts(text: string): AllowedHosts {
  const names = new Set<string>();
  const networks: [Address, number][] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    const network = parseNetwork(entry);
    if (network) networks.push(network);
    else names.add(parseHost(entry));
  }
  return { names, networks };
}

function parseNetwork(entry: string): [Address, number] | null {
  if (ipaddr.isValidCIDR(entry) && isAddress(entry.split('/')[0]!)) return ipaddr.parseCIDR(entry);
  const address = entry.replace(/^\[(.*)\]$/, '$1');
  if (!isAddress(address)) return null;
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

/** Whether a text is a complete IP address; `127.1` and `0x7f000001` aren't. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function parseHost(entry: string): string {
  const isHost = /^[^/?#@\s*]+$/.test(entry) && URL.canParse(`http://${entry}`);
  if (!isHost) throw new Error(`has an entry that is not a host, host:port, IP address or CIDR: ${entry || '(empty)'}`);
  const { hostname, port } = new URL(`http://${entry}`);
  const host = bareHost(hostname);
  // URL drops `:80`, the default port of http.
  return entry.endsWith(':80') ? `${host}:80` : port ? `${host}:${port}` : host;
}

/** The host of a URL without the brackets of IPv6 and without the final dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
