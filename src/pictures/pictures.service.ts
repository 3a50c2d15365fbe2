import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { PICTURE } from '../files/file.js';
import { FileLinks } from '../files/file-links.js';
import { removeFiles } from '../files/removals.queries.js';
import { FileRemovals } from '../files/removals.service.js';
import { findFile } from '../files/uploads.queries.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { invalid } from '../platform/errors/problem.js';
import { pictureIdOf } from '../platform/lib/web-url.js';
import { bytesOfData } from './picture-choice.js';
import { PictureFetches } from './picture-fetches.js';
import { PictureFiles, PictureRefused } from './picture-files.js';
import { listChosen } from './pictures.queries.js';

/** The pictures of agents, and of organizations' mails (CONTRACT: Pictures). */
@Injectable()
export class PicturesService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly links: FileLinks,
    private readonly files: PictureFiles,
    private readonly fetches: PictureFetches,
    private readonly removals: FileRemovals,
  ) {}

  /**
   * Stores the chosen picture before a change, and removes afterwards what nothing shows any longer.
   * @param choice a `data:` URL, the address of a picture, or null for none; undefined: it stays
   * @param pointer the field, for problems
   * @param apply makes the change, with the picture's address at Parley
   * @throws Problem validation_failed at the pointer; quota_exceeded; unavailable
   */
  async change<C extends string | null | undefined, T>(
    organizationId: string,
    { choice, pointer }: { choice: C; pointer: string },
    apply: (address: C) => Promise<T>,
  ): Promise<T> {
    if (choice === undefined) return apply(choice);
    const before = await this.shown(this.manager, organizationId);
    const address = choice === null ? choice : await this.store(organizationId, choice, pointer);
    try {
      return await apply(address as C);
    } finally {
      const touched = [...before, address === null ? null : pictureIdOf(address)];
      await this.removeUnshown(organizationId, () => Promise.resolve(touched));
    }
  }

  /** The present address of an organization's picture; null if an address isn't one's. */
  async addressOf(organizationId: string, address: string): Promise<string | null> {
    const id = pictureIdOf(address);
    const isPicture = id !== null && (await findFile(this.pool, organizationId, id))?.usedBy === PICTURE;
    return isPicture ? this.links.picture(id) : null;
  }

  /** Removes pictures of an organization that it doesn't show. @param list finds the pictures in question */
  async removeUnshown(organizationId: string, list: (tx: EntityManager) => Promise<(string | null)[]>): Promise<void> {
    const count = await transaction(this.manager, async (tx) => {
      const all = await list(tx);
      const shown = await this.shown(tx, organizationId);
      const pictures = all.filter((id) => id !== null && !shown.has(id)) as string[];
      return pictures.length === 0 ? 0 : removeFiles(tx, organizationId, { pictures });
    });
    if (count > 0) this.removals.wake();
  }

  private async shown(manager: EntityManager, organizationId: string): Promise<Set<string | null>> {
    return new Set((await listChosen(manager, organizationId)).map(pictureIdOf));
  }

  /** The address at Parley of a chosen picture. @throws Problem validation_failed at the pointer; quota_exceeded; unavailable */
  private async store(organizationId: string, choice: string, pointer: string): Promise<string> {
    const known = await this.addressOf(organizationId, choice);
    if (known !== null) return known;
    try {
      const bytes = bytesOfData(choice) ?? (await this.fetches.fetch(organizationId, choice));
      return this.links.picture(await this.files.add(organizationId, bytes));
    } catch (error) {
      throw error instanceof PictureRefused ? invalid(pointer, error.message) : error;
    }
  }
}
