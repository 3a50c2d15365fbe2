import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import webPush from 'web-push';
import { Config } from '../platform/config/config.js';
import { publicKeyOf } from '../platform/config/vapid-variables.js';
import { PUSH_KEYS_PURPOSE } from '../platform/database/key/reseal.queries.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { deriveKeys, type Keys, seal, SealError, unseal } from '../platform/lib/secrets.js';
import { findKeys, insertKey, lockKeys, type StoredKey } from './vapid-keys.queries.js';

/** A key that identifies this installation to push services (RFC 8292), in base64url. */
export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

/**
 * The VAPID keys (CONTRACT: Push): VAPID_KEYS, newest first, and generated ones, which all nodes share. Browsers that
 * subscribed with an older key need it until they subscribe again.
 */
@Injectable()
export class VapidKeys {
  private readonly sealKeys: Keys;
  private readonly configured: readonly KeyPair[];
  private known: readonly KeyPair[] = [];

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    config: Config,
  ) {
    this.sealKeys = deriveKeys(config, PUSH_KEYS_PURPOSE);
    this.configured = config.VAPID_KEYS.map((privateKey) => ({ privateKey, publicKey: publicKeyOf(privateKey) }));
  }

  /** The public key that browsers subscribe with. */
  async current(): Promise<string> {
    const [newest] = this.configured;
    if (newest) return newest.publicKey;
    // Another node may have made a newer one after a change of SECRET_KEY.
    const [generated] = this.open(await findKeys(this.pool));
    return (generated ?? (await this.generate())).publicKey;
  }

  /** The pair of a public key; null if it's unknown, so that its subscriptions are useless. */
  async find(publicKey: string): Promise<KeyPair | null> {
    const isWanted = (pair: KeyPair) => pair.publicKey === publicKey;
    const known = this.configured.find(isWanted) ?? this.known.find(isWanted);
    if (known) return known;
    this.known = this.open(await findKeys(this.pool));
    return this.known.find(isWanted) ?? null;
  }

  private generate(): Promise<KeyPair> {
    return transaction(this.manager, async (tx) => {
      const [other] = this.open(await lockKeys(tx));
      if (other) return other;
      const pair = webPush.generateVAPIDKeys();
      const sealed = seal(this.sealKeys, pair.publicKey, pair.privateKey);
      await insertKey(tx, { publicKey: pair.publicKey, sealed }, new Date());
      return pair;
    });
  }

  // A key that was sealed under a lost SECRET_KEY is left out.
  private open(stored: readonly StoredKey[]): KeyPair[] {
    return stored.flatMap(({ publicKey, sealed }) => {
      try {
        return [{ publicKey, privateKey: unseal(this.sealKeys, publicKey, sealed) }];
      } catch (error) {
        if (error instanceof SealError) return [];
        throw error;
      }
    });
  }
}
