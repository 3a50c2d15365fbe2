import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound } from '../platform/errors/problem.js';
import './organizations.events.js';
import type { PicturePlace } from './picture.js';
import { findPicture, findPictures, type PictureNames, storePicture } from './widget-settings.queries.js';

/** A change of the pictures, for the audit log, in its transaction. */
type Recording = (tx: EntityManager, before: PictureNames, after: PictureNames) => Promise<void>;

/** The pictures that an organization chose for its widget (CONTRACT: Widget settings). */
@Injectable()
export class WidgetPicturesService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /** @throws Problem not_found */
  async get(organizationId: string): Promise<PictureNames> {
    return (await findPictures(this.manager, organizationId)) ?? notFound('Organization');
  }

  /** @param content a checked picture; null removes it. @throws Problem not_found */
  set(organizationId: string, place: PicturePlace, content: Buffer | null, record: Recording): Promise<PictureNames> {
    return transaction(this.manager, async (tx) => {
      const before = (await findPictures(tx, organizationId, true)) ?? notFound('Organization');
      await storePicture(tx, organizationId, place, content);
      const after = (await findPictures(tx, organizationId))!;
      await record(tx, before, after);
      this.events.emit('organization.widgetChanged', { organizationId }, tx);
      return after;
    });
  }

  /** The picture of this name; null if it has been replaced. */
  read(organizationId: string, place: PicturePlace, name: string): Promise<Buffer | null> {
    return findPicture(this.manager, organizationId, place, name);
  }
}
