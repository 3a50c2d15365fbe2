import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Resolver, lookup as lookupHere } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type AllowedHosts, bareHost, parseAllowedHosts } from '../platform/config/allowed-hosts.js';
import { Config } from '../platform/config/config.js';

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by number, private by nature: what Azure's machines ask about themselves. */
const METADATA = new Set(['168.63.129.16']);
/** Milliseconds a name server may take, and how often it is asked. */
const PATIENCE = { timeout: 2_500, tries: 2 };

/** An address or a URL that webhooks must not reach; the message is for people. */
export class RefusedError extends Error {}

/**
 * Decides where webhooks may go (CONTRACT section 4): to public addresses, and to what WEBHOOK_ALLOWED_HOSTS names. A
 * name is judged by the addresses that are about to be connected to, each time anew.
 */
@Injectable()
export class AddressGuard {
  private readonly allowed: AllowedHosts;
  private readonly resolver = new Resolver(PATIENCE);

  constructor(private readonly config: Config) {
    const { WEBHOOK_ALLOWED_HOSTS: hosts } = config;
    this.allowed = hosts === undefined ? { names: new Set(), networks: [] } : parseAllowedHosts(hosts);
  }

  /** What is wrong with a URL, before any name in it is looked up; null when nothing is. */
  findFault(url: URL): string | null {
    if (!(url.protocol in DEFAULT_PORTS)) return 'must begin with https:// or http://';
    if (url.username || url.password) return 'must not hold a user name or password';
    const isNamed = this.isNamed(url);
    const host = bareHost(url.hostname);
    const isOpen = isNamed || (isIP(host) !== 0 && this.isOpen(host));
    if (!isOpen && (isLocalName(host) || (isIP(host) && !isPublic(host)))) return this.refusal(url.host);
    if (this.config.isProduction && url.protocol === 'http:' && !isOpen) {
      return `must use https, unless WEBHOOK_ALLOWED_HOSTS names ${host}`;
    }
    return null;
  }

  /** Whether WEBHOOK_ALLOWED_HOSTS names this very host, wherever it leads. */
  isNamed(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): boolean {
    const host = bareHost(url.hostname);
    const { names } = this.allowed;
    return names.has(host) || names.has(`${host}:${url.port || DEFAULT_PORTS[url.protocol]}`);
  }

  /** @throws RefusedError for an address that must not be reached */
  check(address: string): void {
    if (!isPublic(address) && !this.isOpen(address)) throw new RefusedError(this.refusal(address));
  }

  /**
   * Looks a name up for a connection and passes on the addresses that may be reached. Names that only the operator can
   * have made (without a dot) are asked of the system; others of the name servers directly: the system has few threads for
   * it, and a name whose servers never answer would hold them for everybody.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const wanted = typeof options.family === 'number' ? options.family : 0;
    this.resolve(hostname)
      .then((all) => all.filter((address) => wanted === 0 || isIP(address) === wanted))
      .then((addresses) => this.pick(addresses, hostname))
      .then(
        (open) => (options.all ? callback(null, open) : callback(null, open[0]!.address, open[0]!.family)),
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
  };

  private pick(addresses: string[], hostname: string) {
    const open = addresses.filter((address) => isPublic(address) || this.isOpen(address));
    if (open.length > 0) return open.map((address) => ({ address, family: isIP(address) }));
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    throw new RefusedError(this.refusal(`${hostname} (${addresses[0]})`));
  }

  private async resolve(hostname: string): Promise<string[]> {
    if (!bareHost(hostname).includes('.') || isLocalName(hostname)) {
      return (await lookupHere(hostname, { all: true })).map(({ address }) => address);
    }
    const answers = await Promise.allSettled([this.resolver.resolve4(hostname), this.resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
    return found;
  }

  private isOpen(address: string): boolean {
    const parsed = unwrap(address);
    return this.allowed.networks.some(
      ([network, bits]) => network.kind() === parsed?.kind() && parsed.match(network as never, bits),
    );
  }

  private refusal(what: string): string {
    return `${what} is not a public address, and WEBHOOK_ALLOWED_HOSTS does not name it`;
  }
}

function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}

function isPublic(address: string): boolean {
  const parsed = unwrap(address);
  if (parsed?.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST as never);
}

// IPv4 in the clothes of IPv6 is judged as what it is.
function unwrap(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || !parsed.match(NAT64 as never)) return parsed;
  return ipaddr.fromByteArray(parsed.toByteArray().slice(12));
}
