import { Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type AllowedHosts, bareHost, parseAllowedHosts } from '../config/allowed-hosts.js';
import { Config } from '../config/config.js';
import { LogSampler } from '../telemetry/log-sampler.js';

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Addresses that look public but aren't: the metadata service of Azure's virtual machines. */
const METADATA = new Set(['168.63.129.16']);
/** The timeout of a DNS query in milliseconds, and the number of tries. */
const RESOLVER_OPTIONS = { timeout: 2_500, tries: 2 };

/** This service must not reach an address or URL. The message is meant for people. */
export class RefusedError extends Error {}

/**
 * Decides which addresses that someone else chose may be reached (CONTRACT: Webhooks): public addresses, and the hosts in
 * WEBHOOK_ALLOWED_HOSTS. A host name is checked at each connection, by the addresses it resolves to.
 */
@Injectable()
export class AddressGuard {
  private readonly logger = new Logger(AddressGuard.name);
  private readonly lines = new LogSampler((omitted) =>
    this.logger.log({ omitted }, 'blocked further connections to hosts without a public address'),
  );
  private readonly allowed: AllowedHosts;
  private readonly resolver = new Resolver(RESOLVER_OPTIONS);

  constructor(private readonly config: Config) {
    const { WEBHOOK_ALLOWED_HOSTS: hosts } = config;
    this.allowed = hosts === undefined ? { names: new Set(), networks: [] } : parseAllowedHosts(hosts);
  }

  /** Describes why a URL is rejected, without a DNS lookup; null when it's accepted. */
  findFault(url: URL): string | null {
    if (!(url.protocol in DEFAULT_PORTS)) return 'must start with https:// or http://';
    if (url.username || url.password) return 'must not contain a user name or password';
    const isNamed = this.isNamed(url);
    const host = bareHost(url.hostname);
    const isAllowed = isNamed || (isIP(host) !== 0 && this.isAllowed(host));
    if (!isAllowed && (isLocalName(host) || (isIP(host) && !isPublic(host)))) return this.refusal(url.host);
    if (this.config.isProduction && url.protocol === 'http:' && !isAllowed) {
      return `must use https, unless WEBHOOK_ALLOWED_HOSTS names ${host}`;
    }
    return null;
  }

  /** Whether WEBHOOK_ALLOWED_HOSTS lists this host by name. Its addresses are then not checked. */
  isNamed(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): boolean {
    const host = bareHost(url.hostname);
    const { names } = this.allowed;
    return names.has(host) || names.has(`${host}:${url.port || DEFAULT_PORTS[url.protocol]}`);
  }

  /** @throws RefusedError for an address that must not be reached */
  check(address: string): void {
    if (!isPublic(address) && !this.isAllowed(address)) throw new RefusedError(this.refusal(address));
  }

  /**
   * Resolves a host name to the addresses that may be reached. The operating system resolves local names (without a
   * dot); for all others, the name servers are queried directly: the system's lookup has few threads, and a name whose
   * servers never respond would block them for all requests.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const wanted = typeof options.family === 'number' ? options.family : 0;
    this.resolve(hostname)
      .then((all) => all.filter((address) => wanted === 0 || isIP(address) === wanted))
      .then((addresses) => this.pick(addresses, hostname))
      .then(
        (allowed) => (options.all ? callback(null, allowed) : callback(null, allowed[0]!.address, allowed[0]!.family)),
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
  };

  private pick(addresses: string[], hostname: string) {
    const allowed = addresses.filter((address) => isPublic(address) || this.isAllowed(address));
    if (allowed.length > 0) return allowed.map((address) => ({ address, family: isIP(address) }));
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    // Organizations see the error, and must not learn how names in the service's network resolve.
    if (this.lines.admits(hostname))
      this.logger.log({ hostname, addresses }, 'blocked a connection to a host without a public address');
    throw new RefusedError(`${hostname} has no public address, and WEBHOOK_ALLOWED_HOSTS does not name it`);
  }

  private async resolve(hostname: string): Promise<string[]> {
    if (!bareHost(hostname).includes('.') || isLocalName(hostname)) {
      return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
    }
    const answers = await Promise.allSettled([this.resolver.resolve4(hostname), this.resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
    return found;
  }

  private isAllowed(address: string): boolean {
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

// An IPv4 address that is mapped to IPv6 (including NAT64) is checked as IPv4.
function unwrap(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || !parsed.match(NAT64 as never)) return parsed;
  return ipaddr.fromByteArray(parsed.toByteArray().slice(12));
}
