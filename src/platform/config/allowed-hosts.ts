import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What WEBHOOK_ALLOWED_HOSTS opens. */
export interface AllowedHosts {
  /** `host` or `host:port`, in the spelling of URLs. */
  names: ReadonlySet<string>;
  networks: readonly [Address, number][];
}

/**
 * Reads `bot, bot:8080, 10.0.0.0/8, 127.0.0.1, [::1]:3000`.
 * @throws Error that says which entry is wrong
 */
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
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = entry.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

function parseHost(entry: string): string {
  const isHost = /^[^/?#@\s*]+$/.test(entry) && URL.canParse(`http://${entry}`);
  if (!isHost) throw new Error(`has an entry that is no host, host:port, address or CIDR: ${entry || '(empty)'}`);
  const { hostname, port } = new URL(`http://${entry}`);
  const host = bareHost(hostname);
  // A URL forgets the port that its scheme has anyway.
  return entry.endsWith(':80') ? `${host}:80` : port ? `${host}:${port}` : host;
}

/** The host of a URL without the brackets of IPv6 and the dot of the root. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
