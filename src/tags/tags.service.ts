import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { AuditService } from '../auth/audit/audit.service.js';
import type { RequestContext } from '../auth/context/request-context.js';
import type { Viewer } from '../chats/model/chat-rights.js';
import type { TagFilter } from '../chats/reading/tags-sql.js';
import { HeavyReads } from '../platform/database/pools/heavy-reads.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import type { Precondition } from '../platform/http/responses/etag.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { encodeTextPosition, type TextPosition } from '../platform/lib/cursor.js';
import type { Page } from '../platform/validation/paging.js';
import { beginRemoval, type LockedTag, lockTagRows, takeName, updateTag } from './tag-changes.queries.js';
import { TagChanges } from './tag-changes.service.js';
import { tagKey } from './tag-key.js';
import { findTag, findTagFilter, findUsedTags, listTags, type TagRow, type UsedTag } from './tags.queries.js';

/** What an administrator changes of a tag. */
export interface TagUpdate {
  name?: string;
  /** `#rrggbb`; null: none. */
  color?: string | null;
}

/** A changed tag, and whether all its chats have the change. */
export interface ChangedTag {
  tag: TagRow;
  isDone: boolean;
}

/** What the version of a tag is derived from: its chats change by themselves. */
export const versionedTag = ({ name, color }: Pick<TagRow, 'name' | 'color'>) => ({ name, color });

/** The tags of an organization (CONTRACT: Tags). */
@Injectable()
export class TagsService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly heavy: HeavyReads,
    private readonly changes: TagChanges,
    private readonly audit: AuditService,
  ) {}

  /** The 50 tags that are used most in the chats that the viewer may open. @param viewer an agent, or a bot's organization */
  listUsed(viewer: Viewer | { organizationId: string }, prefix = ''): Promise<UsedTag[]> {
    return this.heavy.run(viewer.organizationId, () => findUsedTags(this.pool, viewer, prefix));
  }

  /** All tags, by name. */
  async list(
    organizationId: string,
    { limit, ...filter }: { prefix?: string; after?: TextPosition; limit: number },
  ): Promise<Page<TagRow>> {
    const rows = await listTags(this.pool, organizationId, { ...filter, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const items = page.map(withoutKey);
    return { items, nextCursor: rows.length > limit && last ? encodeTextPosition(last) : null };
  }

  /** The filter by these names; undefined without any. */
  filterBy(organizationId: string, names: readonly string[] | undefined): Promise<TagFilter | undefined> {
    return findTagFilter(this.pool, organizationId, names);
  }

  /** @throws Problem not_found; precondition_failed; conflict if another tag has or had the name */
  async update(
    context: RequestContext,
    id: string,
    { name, color }: TagUpdate,
    precondition: Precondition | null = null,
  ): Promise<ChangedTag> {
    const { organizationId } = context;
    await transaction(this.manager, async (tx) => {
      const before = await this.lock(tx, organizationId, id);
      precondition?.check(versionedTag(before));
      const after = { id, name: name ?? before.name, key: tagKey(name ?? before.name), color: before.color };
      if (color !== undefined) after.color = color?.toLowerCase() ?? null;
      if (after.name === before.name && after.color === before.color) return;
      if (after.name !== before.name && !(await takeName(tx, organizationId, after)))
        throw new Problem('conflict', 'Another tag has or had this name');
      await updateTag(tx, organizationId, after, after.key !== before.key);
      const views = { before: versionedTag(before), after: versionedTag(after) };
      await this.audit.recordChange(tx, context, { kind: 'tag', id, name: after.name, ...views });
    });
    const isDone = await this.changes.finish(organizationId, id);
    return { tag: await this.get(organizationId, id), isDone };
  }

  /**
   * Gives the chats of a tag another tag, and removes the first one. A repeated call continues the merge.
   * @throws Problem not_found; validation_failed if `into` is unknown or the same tag
   */
  async merge(context: RequestContext, id: string, into: string): Promise<ChangedTag> {
    const { organizationId } = context;
    if (into === id) throw invalid('/into', 'must be another tag');
    await transaction(this.manager, async (tx) => {
      const locked = await lockTagRows(tx, organizationId, [id, into]);
      const tag = locked.find((one) => one.id === id) ?? notFound('Tag');
      if (tag.isRemoved && tag.mergedInto === into) return;
      if (tag.isRemoved) notFound('Tag');
      const target = locked.find((one) => one.id === into && !one.isRemoved);
      if (!target) throw invalid('/into', 'must be the ID of a tag in this organization');
      await beginRemoval(tx, organizationId, id, into);
      const changes = [{ field: 'into', from: null, to: { id: into, name: target.name } }];
      await this.audit.record(context, { action: 'tag.merged', target: id, targetName: tag.name, changes }, tx);
    });
    const isDone = await this.changes.finish(organizationId, id);
    return { tag: await this.get(organizationId, into), isDone };
  }

  /** Removes a tag, and takes it from all chats. Returns false if that continues in the background. @throws Problem not_found */
  async delete(context: RequestContext, id: string): Promise<boolean> {
    const { organizationId } = context;
    await transaction(this.manager, async (tx) => {
      const [tag] = await lockTagRows(tx, organizationId, [id]);
      if (!tag || (tag.isRemoved && tag.mergedInto !== null)) return notFound('Tag');
      if (tag.isRemoved) return;
      await beginRemoval(tx, organizationId, id, null);
      await this.audit.record(context, { action: 'tag.deleted', target: id, targetName: tag.name }, tx);
    });
    return this.changes.finish(organizationId, id);
  }

  /** @throws Problem not_found, also for a tag that's being merged or deleted */
  async get(organizationId: string, id: string): Promise<TagRow> {
    return (await findTag(this.manager, organizationId, id)) ?? notFound('Tag');
  }

  private async lock(tx: EntityManager, organizationId: string, id: string): Promise<LockedTag> {
    const [tag] = await lockTagRows(tx, organizationId, [id]);
    return tag && !tag.isRemoved ? tag : notFound('Tag');
  }
}

function withoutKey(row: TagRow & { key: string }): TagRow {
  const { key: _, ...tag } = row;
  return tag;
}
