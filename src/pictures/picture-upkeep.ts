import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { FileLinks } from '../files/file-links.js';
import { Config } from '../platform/config/config.js';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { HostUnavailable } from './picture-fetches.js';
import { PictureRefused } from './picture-files.js';
import { findWithPictures, type ForeignPicture, listForeign, listPictures, moveAddress } from './pictures.queries.js';
import { PicturesService } from './pictures.service.js';

const INTERVAL_MS = 10 * 60_000;
/** Until the first run after the start, in milliseconds. */
const FIRST_MS = 5_000;
/** A picture that's younger may be of a change that is just being made. */
const UNSHOWN_MS = 10 * 60_000;
const PAGE = 100;

/**
 * Removes pictures that nothing shows, such as a deleted agent's. Moves addresses to this installation's: of an earlier
 * `PUBLIC_URL`, and of other hosts, which nodes of an earlier release stored.
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
      this.logger.warn(`pictures were not looked after: ${(error as Error).message}`);
    }
  }

  private async removeUnshown(before: Date): Promise<void> {
    for (const organizationId of await findWithPictures(this.pool, before))
      await this.pictures.removeUnshown(organizationId, (tx) => listPictures(tx, organizationId, before));
  }

  private async moveAll(kind: 'avatars' | 'logos'): Promise<void> {
    const { PUBLIC_URL, FILES_ORIGIN } = this.config;
    // Without an address of its own, each node has another one.
    const isKnown = PUBLIC_URL !== undefined || FILES_ORIGIN !== undefined;
    const pattern = isKnown ? `${this.links.picture('%')}` : '%/files/upl\\_%/picture';
    for (let after = '', size = PAGE; size === PAGE && !this.job.isStopped;) {
      const found = await listForeign(this.pool, kind, { pattern, after, limit: PAGE });
      for (const picture of found) await this.move(picture);
      size = found.length;
      const last = found.at(-1);
      after = last?.agentId ?? last?.organizationId ?? after;
    }
  }

  // A host that can't be reached now is asked again in the next run.
  private async move(picture: ForeignPicture): Promise<void> {
    const { organizationId, agentId, address } = picture;
    if (this.job.isStopped) return;
    try {
      await moveAddress(this.pool, picture, await this.pictures.store(organizationId, address));
    } catch (error) {
      this.logger.log({ organizationId, agentId }, `a picture was not moved to Parley: ${(error as Error).message}`);
      if (error instanceof PictureRefused && !(error instanceof HostUnavailable))
        await moveAddress(this.pool, picture, null);
    }
  }
}
