import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { FileLinks } from '../files/file-links.js';
import { Config } from '../platform/config/config.js';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { findWithPictures, listMoved, listPictures, moveAddress } from './pictures.queries.js';
import { PicturesService } from './pictures.service.js';

const INTERVAL_MS = 4 * 60_000;
/** Until the first run after the start, in milliseconds. */
const FIRST_MS = 5_000;
/** A picture that's younger may be of a change that is just being made. */
const UNSHOWN_MS = 5 * 60_000;
const PAGE = 100;

/**
 * Removes pictures that nothing shows, such as a deleted agent's, within 15 minutes. Gives addresses of another installation, or of an earlier
 * `PUBLIC_URL`, the present one.
 */
@Injectable()
export class PictureUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Pictures');
  private readonly job = new PeriodicJob((now) => this.run(now), INTERVAL_MS, 1 / 2);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly links: FileLinks,
    private readonly pictures: PicturesService,
  ) {}

  onApplicationBootstrap(): void {
    this.job.start(FIRST_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  async run(now = new Date()): Promise<void> {
    if (this.config.DRILL) return;
    try {
      await this.removeUnshown(new Date(now.getTime() - UNSHOWN_MS));
      for (const kind of ['avatars', 'logos'] as const) await this.moveAll(kind);
    } catch (error) {
      this.logger.warn({ err: error }, 'pictures were not looked after');
    }
  }

  private async removeUnshown(before: Date): Promise<void> {
    for (const organizationId of await findWithPictures(this.pool, before))
      await this.pictures.removeUnshown(organizationId, (tx) => listPictures(tx, organizationId, before));
  }

  private async moveAll(kind: 'avatars' | 'logos'): Promise<void> {
    const { PUBLIC_URL, FILES_ORIGIN } = this.config;
    const own = this.links.picture('%');
    const isPublic = (PUBLIC_URL ?? FILES_ORIGIN) !== undefined;
    // Without an address of their own, the nodes of a machine have different ports, and other machines have other addresses.
    if (!isPublic && !own.startsWith('http://127.0.0.1:')) return;
    const pattern = isPublic ? own : own.replace(/:\d+\//, ':%/');
    for (let after = '', size = PAGE; size === PAGE && !this.job.isStopped;) {
      const found = await listMoved(this.pool, kind, { pattern, after, limit: PAGE });
      for (const picture of found) {
        const { organizationId, address } = picture;
        await moveAddress(this.pool, picture, await this.pictures.addressOf(organizationId, address));
      }
      size = found.length;
      const last = found.at(-1);
      after = last?.agentId ?? last?.organizationId ?? after;
    }
  }
}
