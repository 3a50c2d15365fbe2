import type { Request } from 'express';

const NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const ADDRESSES = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * Whether who asks is on this very machine: by its address, through no proxy, and under a name that no stranger's page can
 * make its own (DNS rebinding).
 */
export function isSameMachine({ socket, headers, hostname }: Request): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && ADDRESSES.has(socket.remoteAddress ?? '') && NAMES.has(hostname);
}
