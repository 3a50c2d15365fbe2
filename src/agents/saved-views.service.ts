import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { isAtLeast, type Role } from './role.js';
import { SavedView } from './saved-view.entity.js';

/** An agent has at most this many own views. */
export const MAX_OWN_VIEWS = 50;
/** An organization shares at most this many. */
export const MAX_SHARED_VIEWS = 100;
/** The last place of a view. */
export const MAX_POSITION = 1_000_000;

/** What an agent sets of a view. */
export interface ViewFields {
  name: string;
  query: string;
  /** Whether the team sees it. */
  isShared: boolean;
  position: number;
}

/** The agent who reads or changes views. */
interface Viewer {
  organizationId: string;
  agentId: string;
  role: Role;
}

/** Searches that agents keep under a name (CONTRACT: Agent API). */
@Injectable()
export class SavedViewsService {
  constructor(@InjectRepository(SavedView) private readonly views: Repository<SavedView>) {}

  /** The agent's own views and the team's, by their position: at most 150. */
  list({ organizationId, agentId }: Viewer): Promise<SavedView[]> {
    return this.views.find({
      where: [
        { organizationId, agentId },
        { organizationId, agentId: IsNull() },
      ],
      order: { position: 'ASC', id: 'ASC' },
      take: MAX_OWN_VIEWS + MAX_SHARED_VIEWS,
    });
  }

  /**
   * Without a position, it comes last.
   * @throws Problem forbidden if an agent shares it; conflict beyond 50 own views, or 100 of the team
   */
  create(viewer: Viewer, { name, query, isShared = false, position }: NewView): Promise<SavedView> {
    const { organizationId } = viewer;
    return transaction(this.views.manager, async (tx) => {
      const agentId = ownerOf(viewer, isShared);
      await requireRoom(tx, organizationId, agentId);
      const place = position ?? (await findLast(tx, organizationId, agentId)) + 1;
      const at = { position: Math.min(place, MAX_POSITION), createdAt: new Date() };
      const view = { organizationId, id: newId('viw'), agentId, name, query, ...at };
      await tx.insert(SavedView, view);
      return view;
    });
  }

  /** @throws Problem not_found, also for a colleague's own view */
  async get(viewer: Viewer, id: string): Promise<SavedView> {
    const { organizationId } = viewer;
    return visibleTo(viewer, await this.views.findOneBy({ organizationId, id }));
  }

  /**
   * Changes only the given fields.
   * @param check throws if the view isn't the version that the caller has seen
   * @throws Problem not_found, also for a colleague's own view; forbidden; conflict
   */
  update(
    viewer: Viewer,
    id: string,
    change: Partial<ViewFields>,
    check: (before: SavedView) => void = () => undefined,
  ): Promise<SavedView> {
    const { organizationId } = viewer;
    return transaction(this.views.manager, async (tx) => {
      const before = await lock(tx, viewer, id);
      check(before);
      const { name = before.name, query = before.query, position = before.position } = change;
      const wasShared = before.agentId === null;
      const { isShared = wasShared } = change;
      if (wasShared || isShared) requireSupervisor(viewer);
      const agentId = ownerOf(viewer, isShared);
      if (isShared !== wasShared) await requireRoom(tx, organizationId, agentId);
      const fields = { agentId, name, query, position };
      await tx.update(SavedView, { organizationId, id }, fields);
      return { ...before, ...fields };
    });
  }

  /** @throws Problem not_found, also for a colleague's own view; forbidden for the team's */
  delete(viewer: Viewer, id: string): Promise<void> {
    return transaction(this.views.manager, async (tx) => {
      const { agentId } = await lock(tx, viewer, id);
      if (agentId === null) requireSupervisor(viewer);
      await tx.delete(SavedView, { organizationId: viewer.organizationId, id });
    });
  }
}

/** The fields of a new view. */
export type NewView = Pick<ViewFields, 'name' | 'query'> & Partial<ViewFields>;

function ownerOf(viewer: Viewer, isShared: boolean): string | null {
  if (isShared) requireSupervisor(viewer);
  return isShared ? null : viewer.agentId;
}

function requireSupervisor({ role }: Viewer): void {
  if (!isAtLeast(role, 'SUPERVISOR'))
    throw new Problem('forbidden', 'Only supervisors and administrators change views of the team');
}

async function requireRoom(tx: EntityManager, organizationId: string, agentId: string | null): Promise<void> {
  const count = await tx.countBy(SavedView, { organizationId, agentId: agentId ?? IsNull() });
  if (agentId !== null && count >= MAX_OWN_VIEWS)
    throw new Problem('conflict', `An agent can have ${MAX_OWN_VIEWS} own views; remove some first`);
  if (agentId === null && count >= MAX_SHARED_VIEWS)
    throw new Problem('conflict', `The team can have ${MAX_SHARED_VIEWS} views; remove some first`);
}

async function findLast(tx: EntityManager, organizationId: string, agentId: string | null): Promise<number> {
  return (await tx.maximum(SavedView, 'position', { organizationId, agentId: agentId ?? IsNull() })) ?? -1;
}

async function lock(tx: EntityManager, viewer: Viewer, id: string): Promise<SavedView> {
  const where = { organizationId: viewer.organizationId, id };
  return visibleTo(viewer, await tx.findOne(SavedView, { where, lock: { mode: 'for_no_key_update' } }));
}

function visibleTo({ agentId }: Viewer, view: SavedView | null): SavedView {
  return view && (view.agentId === null || view.agentId === agentId) ? view : notFound('View');
}
