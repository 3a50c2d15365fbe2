import type { Request } from 'express';
import { isLoopback } from '../../../platform/config/loopback.js';

const PORT = /:\d+$/;
/** What proxies and tunnels add; a browser, curl or Prometheus on this machine sends none of it. */
const FORWARDED = /^(?:x-forwarded-.*|x-real-ip|forwarded|via|cf-.*)$/;

/**
 * Whether who asks seems to be on this very machine: by its address, through no proxy, and under a name that no stranger's
 * page can make its own (DNS rebinding). A proxy on this machine can pass for it when it says nothing of whom it asks for
 * and names the host by itself: enough for numbers, not for secrets.
 */
export function isSameMachine({ socket, headers, httpVersion }: Request): boolean {
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  const name = (headers.host ?? '').replace(PORT, '').replace(/^\[(.*)\]$/, '$1');
  return !isForwarded && isLoopback(socket.remoteAddress ?? '') && isLoopback(name);
}
