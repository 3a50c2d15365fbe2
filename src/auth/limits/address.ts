import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** The groups of 16 bits of an IPv6 network prefix: a provider gives a customer a /64. */
const IPV6_GROUPS = 4;

/**
 * The key of the limits by address: an IPv4 address, or the /64 of an IPv6 address, because a client with one address
 * of a /64 has all of them. The text of a connection that
 * has closed already is no address, and its own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The network of an address: IPv4 /24, IPv6 /48. A text that is no address is its own network. */
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
