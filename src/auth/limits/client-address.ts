import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Config } from '../../platform/config/config.js';
import { clientIp, type Trust, trustOf } from '../../platform/http/server/client-ip.js';
import { addressKey } from './address.js';
import { isOwnOrigin } from './own-origin.js';

/**
 * Finds the client's address of a REST request or a socket, as the key of limits. TRUST_PROXY says which proxies may report
 * another address.
 */
@Injectable()
export class ClientAddress {
  private readonly trust: Trust;
  private readonly isPublicSecure: boolean;
  private readonly basePath: string;

  constructor(private readonly config: Config) {
    this.isPublicSecure = config.PUBLIC_URL?.toLowerCase().startsWith('https:') ?? false;
    this.basePath = config.basePath;
    this.trust = trustOf(config);
  }

  of(request: IncomingMessage): string {
    return addressKey(clientIp(request, this.trust));
  }

  /** The connected client; null for a trusted proxy, whose connections belong to many clients. */
  ofClient({ remoteAddress = '' }: Socket): string | null {
    return this.trust(remoteAddress, 0) ? null : addressKey(remoteAddress);
  }

  /** Whether a browser reports that the request comes from our own origin; null if the client isn't a browser (`isOwnOrigin`). */
  isOwnOrigin(request: IncomingMessage): boolean | null {
    return isOwnOrigin(request, { publicUrl: this.config.PUBLIC_URL, isSecure: this.isSecure(request) });
  }

  /** How the client reaches the service, which the name and the attributes of its cookies depend on. */
  cookieScope(request: IncomingMessage): { isSecure: boolean; basePath: string } {
    return { isSecure: this.isSecure(request), basePath: this.basePath };
  }

  /** Whether the client uses https, according to a trusted proxy or PUBLIC_URL. */
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
