import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { Group } from '../groups/group.entity.js';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { transaction } from '../platform/database/transaction.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { fitting, type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { AgentGroup } from './agent-group.entity.js';
import { CannedReply, type ReplyAction } from './canned-reply.entity.js';
import { isAtLeast, type Role } from './role.js';

export interface NewCannedReply {
  /** Unique among the organization's replies, or among the agent's own ones, in its language. */
  shortcut: string;
  content: string;
  language?: string | null;
  /** Only agents of this group get it; null: all. */
  groupId?: string | null;
  action?: ReplyAction | null;
  actionGroupId?: string | null;
}

/** Whose replies: the organization's, or an agent's own ones. */
export interface ReplyOwner {
  organizationId: string;
  agentId: string | null;
}

/** The agent who reads replies. */
interface Reader {
  organizationId: string;
  agentId: string;
  role: Role;
}

/** An agent has at most this many own replies. */
export const MAX_PERSONAL = 500;

/** Texts that agents send often (CONTRACT: Agent API). */
@Injectable()
export class CannedRepliesService {
  constructor(@InjectRepository(CannedReply) private readonly replies: Repository<CannedReply>) {}

  /** The organization's replies that the agent may use: for all, and of the agent's groups; supervisors get every group's. */
  async list<T>(
    { organizationId, agentId, role }: Reader,
    { limit, cursor = '' }: PageQuery,
    map: (row: CannedReply) => T,
  ): Promise<Page<T>> {
    const seenBy = isAtLeast(role, 'SUPERVISOR') ? null : agentId;
    const values = [organizationId, cursor, seenBy, limit + 1];
    return toPage(await this.replies.query<CannedReply[]>(LIST, values), limit, map);
  }

  /** The agent's own replies, as many as fit into an answer. */
  async listOwn<T>(
    organizationId: string,
    agentId: string,
    { limit, cursor = '' }: PageQuery,
    map: (row: CannedReply) => T,
  ): Promise<Page<T>> {
    const where = { organizationId, agentId, id: MoreThan(cursor) };
    const rows = await this.replies.find({ where, order: { id: 'ASC' }, take: limit + 1 });
    const page = fitting(rows, ({ content }) => content);
    return toPage(page, limit, map, page.length < rows.length);
  }

  /** @throws Problem conflict when the shortcut is taken; validation_failed for an unknown group */
  create(
    { organizationId, agentId }: ReplyOwner,
    reply: NewCannedReply,
    hooks: ChangeHooks<CannedReply> = NO_HOOKS,
  ): Promise<CannedReply> {
    const { shortcut, content, language = null, groupId = null, action = null, actionGroupId = null } = reply;
    const key = { organizationId, id: newId('rpl'), agentId };
    const row = { ...key, shortcut, content, language, groupId, action, actionGroupId, createdAt: new Date() };
    return this.write(async (tx) => {
      await this.check(tx, row);
      if (agentId !== null && (await tx.countBy(CannedReply, { organizationId, agentId })) >= MAX_PERSONAL)
        throw new Problem('conflict', `An agent can have ${MAX_PERSONAL} own replies; remove some first`);
      await tx.insert(CannedReply, row);
      await hooks.record(tx, null, row);
      return row;
    });
  }

  /** One of the organization's replies that the agent may use, as in `list`. @throws Problem not_found */
  async get({ organizationId, agentId, role }: Reader, id: string): Promise<CannedReply> {
    const reply = await this.find({ organizationId, agentId: null }, id);
    const { groupId } = reply;
    const isForAgent =
      groupId === null ||
      isAtLeast(role, 'SUPERVISOR') ||
      (await this.replies.manager.existsBy(AgentGroup, { organizationId, groupId, agentId }));
    return isForAgent ? reply : notFound('Canned reply');
  }

  /** One of the agent's own replies. @throws Problem not_found */
  getOwn(organizationId: string, agentId: string, id: string): Promise<CannedReply> {
    return this.find({ organizationId, agentId }, id);
  }

  /** Changes only the given fields. @throws Problem not_found; conflict when the shortcut is taken; validation_failed */
  update(
    owner: ReplyOwner,
    id: string,
    change: Partial<NewCannedReply>,
    hooks: ChangeHooks<CannedReply> = NO_HOOKS,
  ): Promise<CannedReply> {
    return this.write(async (tx) => {
      const before = await lockCannedReply(tx, owner, id);
      hooks.before(before);
      const fields = changed(before, change);
      const after = { ...before, ...fields };
      await this.check(tx, after);
      await tx.update(CannedReply, { organizationId: owner.organizationId, id }, fields);
      await hooks.record(tx, before, after);
      return after;
    });
  }

  /** @throws Problem not_found */
  delete(owner: ReplyOwner, id: string, hooks: ChangeHooks<CannedReply> = NO_HOOKS): Promise<void> {
    return transaction(this.replies.manager, async (tx) => {
      await hooks.record(tx, await lockCannedReply(tx, owner, id), null);
      await tx.delete(CannedReply, { organizationId: owner.organizationId, id });
    });
  }

  private async find({ organizationId, agentId }: ReplyOwner, id: string): Promise<CannedReply> {
    const where = { organizationId, id, agentId: agentId ?? IsNull() };
    return (await this.replies.findOneBy(where)) ?? notFound('Canned reply');
  }

  private async check(tx: EntityManager, row: Omit<CannedReply, 'organization' | 'agent' | 'group'>): Promise<void> {
    const { organizationId, groupId, action, actionGroupId } = row;
    if ((action === 'TRANSFER') !== (actionGroupId !== null))
      throw invalid('/actionGroupId', 'is required with the action TRANSFER, and only with it');
    for (const [pointer, id] of [
      ['/groupId', groupId],
      ['/actionGroupId', actionGroupId],
    ] as const) {
      if (id !== null && !(await tx.existsBy(Group, { organizationId, id })))
        throw invalid(pointer, 'must be the ID of a group in this organization');
    }
  }

  private write(work: (tx: EntityManager) => Promise<CannedReply>): Promise<CannedReply> {
    return transaction(this.replies.manager, work).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'uq_canned_replies_shortcut') throw error;
      throw new Problem('conflict', 'Another canned reply already has this shortcut in this language');
    });
  }
}

/** The fields of a reply after a change; null empties a field that may be empty. */
function changed(before: CannedReply, change: Partial<NewCannedReply>): Required<NewCannedReply> {
  const { language = before.language, groupId = before.groupId } = change;
  const { action = before.action, actionGroupId = before.actionGroupId } = change;
  const shortcut = change.shortcut ?? before.shortcut;
  return { shortcut, content: change.content ?? before.content, language, groupId, action, actionGroupId };
}

const LIST = `
  SELECT r.organization_id AS "organizationId", r.id, r.shortcut, r.content, r.agent_id AS "agentId", r.group_id AS "groupId",
    r.language, r.action, r.action_group_id AS "actionGroupId", r.created_at AS "createdAt"
  FROM canned_replies r
  WHERE r.organization_id = $1 AND r.agent_id IS NULL AND r.id > $2 AND ($3::text IS NULL OR r.group_id IS NULL OR r.group_id IN (
    SELECT m.group_id FROM agent_groups m WHERE m.organization_id = $1 AND m.agent_id = $3))
  ORDER BY r.id LIMIT $4`;

async function lockCannedReply(
  tx: EntityManager,
  { organizationId, agentId }: ReplyOwner,
  id: string,
): Promise<CannedReply> {
  const where = { organizationId, id, agentId: agentId ?? IsNull() };
  return (await tx.findOne(CannedReply, { where, lock: { mode: 'for_no_key_update' } })) ?? notFound('Canned reply');
}
