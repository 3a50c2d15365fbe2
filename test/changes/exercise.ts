import { EntityManager } from 'typeorm';
import { ChangesService } from '../../src/changes/changes.service.js';
import { transaction } from '../../src/platform/database/transaction.js';
import type { Parley, Tenant } from '../support/parley.js';

/** Follows the changes of an organization, as an index does: a page of its first pass, or one of what changed since. */
export async function exerciseChanges({ app }: Parley, { id }: Tenant): Promise<void> {
  const page = await app.get(ChangesService).read(id, 'exercise');
  await transaction(app.get(EntityManager), (tx) => app.get(ChangesService).advance(tx, page));
}
