import type { Request } from 'express';
import { isLoopback } from '../../../platform/config/local-address.js';

const PORT = /:\d+$/;
/** The headers that proxies and tunnels add; a browser, curl or Prometheus on this machine sends none of them. */
const FORWARDED = /^(?:x-forwarded-.*|x-real-ip|forwarded|via|cf-.*)$/;

/**
 * Whether a request seems to come from this machine: from a loopback address, through no proxy, and with a Host that no
 * foreign page can use (DNS rebinding). A proxy on this machine passes too if it adds no headers and sets its own Host:
 * so this check is enough for metrics, but not for secrets.
 */
export function isSameMachine({ socket, headers, httpVersion }: Request): boolean {
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  const name = (headers.host ?? '').replace(PORT, '').replace(/^\[(.*)\]$/, '$1');
  return !isForwarded && isLoopback(socket.remoteAddress ?? '') && isLoopback(name);
}
