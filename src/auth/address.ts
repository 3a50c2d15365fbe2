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
