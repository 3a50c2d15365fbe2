import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';
import type { TLSSocket } from 'node:tls';
import { Config, trustedProxies } from '../platform/config/config.js';
import { addressKey } from './address.js';

type Trust = (address: string, hop: number) => boolean;

/**
 * Finds the client's address of a REST request or a socket, as the key of the limits. TRUST_PROXY says which proxies
 * may name another address.
 */
@Injectable()
export class ClientAddress {
  private readonly trust: Trust;
  private readonly isPublicSecure: boolean;

  constructor(config: Config) {
    this.isPublicSecure = config.PUBLIC_URL?.toLowerCase().startsWith('https:') ?? false;
    this.trust = toTrust(trustedProxies(config));
  }

  of(request: IncomingMessage): string {
    return addressKey(proxyaddr(request as never, this.trust));
  }

  /** Whether the client reached us over https, by what a trusted proxy says or by PUBLIC_URL. */
  isSecure({ socket, headers }: IncomingMessage): boolean {
    if ((socket as TLSSocket).encrypted || this.isPublicSecure) return true;
    if (!this.trust(socket.remoteAddress ?? '', 0)) return false;
    return (
      String(headers['x-forwarded-proto'] ?? '')
        .split(',')[0]!
        .trim() === 'https'
    );
  }
}

function toTrust(proxies: number | string[] | false): Trust {
  if (proxies === false) return () => false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxyaddr.compile(proxies);
}
