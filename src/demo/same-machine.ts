import type { Request } from 'express';

const NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const ADDRESSES = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
/** What proxies and tunnels add; a browser or curl on this machine sends none of it. */
const FORWARDED = /^(?:x-forwarded-.*|x-real-ip|forwarded|via|cf-.*)$/;

/**
 * Whether who asks is on this very machine: by its address, through no proxy, and under a name that no stranger's page can
 * make its own (DNS rebinding). A proxy beside the service may say nothing of whom it asks for, and name the host as it
 * finds it (nginx, unless told otherwise); it gives itself away by HTTP/1.0.
 */
export function isSameMachine({ socket, headers, httpVersion }: Request): boolean {
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  return !isForwarded && ADDRESSES.has(socket.remoteAddress ?? '') && NAME.test(headers.host ?? '');
}
