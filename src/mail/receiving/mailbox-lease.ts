import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { Config } from '../../platform/config/config.js';
import { parseImapUrl } from '../../platform/config/mail-url.js';
import { POOL } from '../../platform/database/pool.js';
import { sha256 } from '../../platform/lib/secrets.js';
import {
  createMailbox,
  LEASE_SECONDS,
  leaseMailbox,
  type MailboxPosition,
  noteMailbox,
  releaseMailbox,
  renewMailbox,
} from './mailbox.queries.js';

/** Milliseconds between two renewals: two may fail before another node takes over. */
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;

/** Lets one node at a time read the mailbox of IMAP_URL, and keeps how far it has been read. */
@Injectable()
export class MailboxLease {
  private key = '';
  private timer?: NodeJS.Timeout;
  private heldUntil = 0;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly node: ThisNode,
    private readonly config: Config,
  ) {}

  /**
   * Takes the mailbox, and keeps it until `release`.
   * @param onLost called once if it couldn't be kept: another node may have it
   * @returns null while another node has it
   */
  async take(onLost: () => void): Promise<MailboxPosition | null> {
    if (this.key === '') await this.create();
    const askedAt = performance.now();
    const position = await leaseMailbox(this.pool, this.key, this.node.id);
    if (position === null) return null;
    this.heldUntil = askedAt + LEASE_SECONDS * 1000;
    this.timer = setInterval(() => void this.renew(onLost), RENEW_MS).unref();
    return position;
  }

  /** @throws Error if another node has taken over, or the database can't be reached */
  async note(position: Omit<MailboxPosition, 'readAt'>): Promise<void> {
    if (!(await noteMailbox(this.pool, this.key, this.node.id, position)))
      throw new Error('another node has taken over');
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await releaseMailbox(this.pool, this.key, this.node.id);
  }

  private async create(): Promise<void> {
    const { host, port, auth } = parseImapUrl(this.config.IMAP_URL!);
    const key = sha256(`${host}:${port} ${auth.user}`).toString('hex');
    await createMailbox(this.pool, key);
    this.key = key;
  }

  private async renew(onLost: () => void): Promise<void> {
    const askedAt = performance.now();
    try {
      if (await renewMailbox(this.pool, this.key, this.node.id)) {
        this.heldUntil = askedAt + LEASE_SECONDS * 1000;
        return;
      }
    } catch {
      if (performance.now() < this.heldUntil) return;
    }
    clearInterval(this.timer);
    onLost();
  }
}
