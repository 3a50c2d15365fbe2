import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** A network of IPv6 has so many bits in front: it is what one customer of a provider has. */
const IPV6_GROUPS = 4;

/**
 * What the limits by address count by: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of it
 * has all of them. What is no address counts as itself.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** What the limits by address count a request by. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string {
  return addressKey(ip ?? '');
}

/** The address a request comes from, as the limits count it. */
export const Address = createParamDecorator((_: unknown, context: ExecutionContext) =>
  addressOf(context.switchToHttp().getRequest<Request>()),
);
