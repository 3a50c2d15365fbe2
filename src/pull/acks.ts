import { Injectable } from '@nestjs/common';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Config } from '../platform/config/config.js';
import { Problem } from '../platform/errors/problem.js';
import { deriveKey } from '../platform/lib/secrets.js';

/** Bytes of the random part of an `ack`, and of its authentication code. */
const RANDOM_BYTES = 16;
const CODE_BYTES = 16;

interface Bot {
  organizationId: string;
  botId: string;
}

/**
 * The names of answers (CONTRACT section 11): random, so that none comes twice, not even after a crash that loses the last
 * commits or after a restore; with an authentication code of the bot, so that an old one is known without being stored.
 */
@Injectable()
export class Acks {
  private readonly key: Buffer;

  constructor({ SECRET_KEY }: Config) {
    this.key = deriveKey(SECRET_KEY, 'acks of pulled events');
  }

  make(bot: Bot): string {
    const random = randomBytes(RANDOM_BYTES);
    return Buffer.concat([random, this.code(bot, random)]).toString('base64url');
  }

  /** @throws Problem validation_failed when this bot was never given it */
  check(bot: Bot, ack: string): void {
    const bytes = Buffer.from(ack, 'base64url');
    const isWhole = bytes.length === RANDOM_BYTES + CODE_BYTES && bytes.toString('base64url') === ack;
    const random = bytes.subarray(0, RANDOM_BYTES);
    if (isWhole && timingSafeEqual(bytes.subarray(RANDOM_BYTES), this.code(bot, random))) return;
    const detail = 'is the ack of no answer to this bot';
    throw new Problem('validation_failed', `ack ${detail}`, [{ parameter: 'ack', detail }]);
  }

  private code({ organizationId, botId }: Bot, random: Buffer): Buffer {
    const code = createHmac('sha256', this.key).update(`${organizationId}/${botId}\n`).update(random).digest();
    return code.subarray(0, CODE_BYTES);
  }
}
