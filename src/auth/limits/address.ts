import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** The number of 16-bit groups in an IPv6 network prefix. Providers give each customer a /64. */
const IPV6_GROUPS = 4;

/**
 * The key of limits by address: an IPv4 address, or the /64 of an IPv6 address, because a client usually has a whole /64. A
 * closed connection has no address; its text is the key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The network of an address: IPv4 /24, IPv6 /48. For a text that isn't an address, the text itself. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === 'ipv4' ? 24 : 48;
  const { octets, parts } = parsed as { octets?: number[]; parts?: number[] };
  if (octets) return `${octets.slice(0, 3).join('.')}.0/${bits}`;
  return `${parts!
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(':')}::/${bits}`;
}

/** The key of a request for the limits by address. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string {
  return addressKey(ip ?? '');
}

/** The client's address, as the key of the limits by address. */
export const Address = createParamDecorator((_: unknown, context: ExecutionContext) =>
  addressOf(context.switchToHttp().getRequest<Request>()),
);
