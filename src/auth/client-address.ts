import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';
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

  constructor(config: Config) {
    this.trust = toTrust(trustedProxies(config));
  }

  of(request: IncomingMessage): string {
    return addressKey(proxyaddr(request as never, this.trust));
  }
}

function toTrust(proxies: number | string[] | false): Trust {
  if (proxies === false) return () => false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxyaddr.compile(proxies);
}
