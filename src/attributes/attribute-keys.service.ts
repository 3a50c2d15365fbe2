import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { AuditService } from '../auth/audit/audit.service.js';
import type { RequestContext } from '../auth/context/request-context.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import type { Precondition } from '../platform/http/responses/etag.js';
import { Problem, validationFailed } from '../platform/errors/problem.js';
import type { AttributeFilter } from '../chats/reading/attributes-sql.js';
import type { AskedAttribute } from './attribute-filters.js';
import { findValues } from './attribute-filters.queries.js';
import { AttributeFilling } from './attribute-filling.service.js';
import { type FilterKey, listKeys, lockKeys, storeKeys } from './attribute-keys.queries.js';

/** The most keys of an organization. */
export const MAX_FILTER_KEYS = 20;
const NO_KEY = 'must name an attribute key that an administrator has added for filters';
/** The most keys whose values wait for their removal. */
const MAX_REMOVED = 40;

interface Replacing {
  /** The organization's name. */
  name: string;
  stored: Awaited<ReturnType<typeof lockKeys>>;
  keys: string[];
}

/** What the version of an organization's keys is derived from. `isReady` is left out, because it changes by itself. */
export const versionedKeys = ({ keys }: { keys: readonly Pick<FilterKey, 'key'>[] }) => ({
  keys: keys.map(({ key }) => key),
});

/** The attribute keys that filters of chats use (CONTRACT: Attributes). */
@Injectable()
export class AttributeKeysService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly filling: AttributeFilling,
    private readonly organizations: OrganizationsService,
    private readonly audit: AuditService,
  ) {}

  /** In the order of the keys. */
  list(organizationId: string): Promise<FilterKey[]> {
    return listKeys(this.pool, organizationId);
  }

  /**
   * The filter by these attributes; undefined without any.
   * @param mark how an error's pointer to a parameter begins: `?` for a query, `/` for a body
   * @throws Problem validation_failed for a key that the organization doesn't have; not_ready while a new key's values are being stored
   */
  async filterBy(
    organizationId: string,
    asked: readonly AskedAttribute[] | undefined,
    mark: '?' | '/' = '?',
  ): Promise<AttributeFilter | undefined> {
    if (asked === undefined || asked.length === 0) return undefined;
    const found = await findValues(this.pool, organizationId, asked);
    const unknown = asked.filter((_, at) => !found.some(({ place }) => place === at + 1));
    if (unknown.length > 0)
      throw validationFailed(unknown.map(({ name }) => ({ pointer: mark + name, detail: NO_KEY })));
    const filling = found.find(({ isReady }) => !isReady);
    if (filling)
      throw new Problem('not_ready', `The chats have not all been read for ${asked[filling.place - 1]!.name} yet`);
    const values = found.map(({ place, hash }) => {
      const { key, isVerified } = asked[place - 1]!;
      return { key, hash, isVerified };
    });
    return { values, isRare: found[0]!.isRare };
  }

  /**
   * Replaces the keys. New ones are ready after a while.
   * @param keys at most `MAX_FILTER_KEYS`; the same twice counts once
   * @throws Problem precondition_failed; conflict while the values of 40 earlier keys are being removed
   */
  async replace(
    context: RequestContext,
    keys: readonly string[],
    precondition: Precondition | null = null,
  ): Promise<FilterKey[]> {
    const { organizationId } = context;
    const { name } = await this.organizations.get(organizationId);
    await transaction(this.manager, async (tx) => {
      const stored = await lockKeys(tx, organizationId);
      precondition?.check(versionedKeys({ keys: stored.filter(({ isRemoved }) => !isRemoved) }));
      await this.store(tx, context, { name, stored, keys: [...new Set(keys)].toSorted() });
    });
    void this.filling.run();
    return this.list(organizationId);
  }

  private async store(tx: EntityManager, context: RequestContext, { name, stored, keys }: Replacing): Promise<void> {
    const { organizationId: target } = context;
    const current = stored.filter(({ isRemoved }) => !isRemoved).map(({ key }) => key);
    const gone = stored.filter(({ isRemoved }) => isRemoved).map(({ key }) => key);
    const removed = current.filter((key) => !keys.includes(key));
    const restored = gone.filter((key) => keys.includes(key));
    const added = keys.filter((key) => !current.includes(key) && !gone.includes(key));
    if (removed.length + restored.length + added.length === 0) return;
    if (gone.length - restored.length + removed.length > MAX_REMOVED)
      throw new Problem('conflict', 'Earlier keys are still being removed; try again in a minute');
    await storeKeys(tx, target, { removed, restored, added });
    const changes = [{ field: 'attributeKeys', from: current, to: keys }];
    await this.audit.record(context, { action: 'organization.changed', target, targetName: name, changes }, tx);
  }
}
