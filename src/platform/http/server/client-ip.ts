import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyaddr from 'proxy-addr';
import { type Config, trustedProxies } from '../../config/config.js';

/** Whether the party at an address may report its client's address. Hop 0 is the connected party. */
export type Trust = (address: string, hop: number) => boolean;

/** Trusts the proxies that TRUST_PROXY names. */
export function trustOf(config: Config): Trust {
  const proxies = trustedProxies(config);
  if (proxies === false) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const isTrusted = proxyaddr.compile(proxies);
  return (address, hop) => isTrusted(withoutPort(address), hop);
}

/**
 * The client's IP address as reported by trusted proxies, without the port that some of them add. If a proxy reports
 * something that isn't an address, the connection's address counts: otherwise each such text would be a client of its
 * own.
 */
export function clientIp(request: IncomingMessage, trust: Trust): string {
  const address = withoutZone(withoutPort(proxyaddr(request, trust)));
  return isIP(address) ? address : withoutZone(request.socket.remoteAddress ?? '');
}

// `fe80::1%eth0`: the zone names a local network interface, and could be any text.
function withoutZone(text: string): string {
  const [address] = text.split('%', 1);
  return address!;
}

// `1.2.3.4:5`, `[::1]:5`, `[::1]`. A connection that was reset has no address.
function withoutPort(text = ''): string {
  if (isIP(text)) return text;
  const host = text.endsWith(']') ? text : text.slice(0, Math.max(0, text.lastIndexOf(':')));
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
