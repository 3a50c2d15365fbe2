import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { deriveKeys, type Keys, seal, SealError, unseal } from '../../platform/lib/secrets.js';
import type { ConnectionSecrets } from '../model/connection.js';

/** Seals and opens the secrets of connections. They're bound to their connection's row. */
@Injectable()
export class ConnectionSecretsBox {
  private readonly keys: Keys;

  constructor(config: Config) {
    this.keys = deriveKeys(config, 'bot connections');
  }

  seal(organizationId: string, id: string, secrets: ConnectionSecrets): Buffer {
    return seal(this.keys, `${organizationId}/${id}`, JSON.stringify(secrets));
  }

  /** Null if they were sealed under another SECRET_KEY. */
  open(organizationId: string, id: string, sealed: Buffer): ConnectionSecrets | null {
    try {
      return JSON.parse(unseal(this.keys, `${organizationId}/${id}`, sealed)) as ConnectionSecrets;
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }
}
