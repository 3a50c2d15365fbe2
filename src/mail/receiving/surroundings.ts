import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { incomingKey } from '../../files/removals.queries.js';
import { Scanner } from '../../files/scan/scanner.js';
import { CheckedStore } from '../../files/stores/checked-store.js';
import { POOL } from '../../platform/database/pool.js';
import { Problem } from '../../platform/errors/problem.js';
import { MAX_MAIL_BYTES } from '../reading/received-mail.js';
import { findOld } from './inbound-mails.queries.js';
import { MailboxLease } from './mailbox-lease.js';
import type { MailboxPosition } from './mailbox.queries.js';

const HARMLESS = Buffer.from('A harmless file of Parley.\n');

/** What every mail needs: the database, the store of files, and the scanner. */
@Injectable()
export class Surroundings {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly lease: MailboxLease,
    private readonly store: CheckedStore,
    private readonly scanner: Scanner,
  ) {}

  /**
   * Tests whether they work, so that only a mail itself can be why it isn't stored.
   * @param error the mail's. The store and the scanner are tested unless it's the database's: a mail without files needs neither
   */
  async work(error: unknown, position: MailboxPosition): Promise<boolean> {
    try {
      // A write, and a read from all servers of a cluster.
      await this.lease.note(position);
      await findOld(this.pool, new Date(0), 1);
      return !(error instanceof Problem) || (await this.takeFiles());
    } catch {
      return false;
    }
  }

  private async takeFiles(): Promise<boolean> {
    const store = await this.store.get();
    if (!(await store.hasRoomFor(MAX_MAIL_BYTES))) return false;
    const size = HARMLESS.length;
    const key = incomingKey('probe', randomUUID());
    try {
      await store.put(key, Readable.from([HARMLESS]), size);
      return await this.scanner.isClean(store, key, size);
    } finally {
      await store.remove(key);
    }
  }
}
