import type { EntityManager } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import type { Actor, RequestContext } from '../../auth/context/request-context.js';
import { Group } from '../../groups/group.entity.js';
import { Problem, problemWith } from '../../platform/errors/problem.js';
import type { ProblemCode } from '../../platform/errors/problem-codes.js';
import { type Owner, ownerOf } from '../model/chat-status.js';
import { MAX_RATING_CHANGES } from '../model/given-rating.js';
import type { Named } from '../reading/chat-state.js';
import type { LockedChat } from './chat-transitions.queries.js';

const TAKEN = 'The chat is assigned to another agent, named in assignedTo';

/** The 409 for an action that only the chat's agent may take. */
export function notAssigned(tx: EntityManager, organizationId: string, chat: LockedChat): Promise<Problem> {
  return refuse(
    tx,
    organizationId,
    chat,
    'not_assigned',
    'This chat is not assigned to you; only its agent can do this',
  );
}

/** The 409 for an action that needs a chat without another agent. */
export function alreadyAssigned(tx: EntityManager, organizationId: string, chat: LockedChat): Promise<Problem> {
  return refuse(tx, organizationId, chat, 'already_assigned', TAKEN);
}

/** The same, for a known agent. */
export function takenBy(assignedTo: Named): Problem {
  return problemWith('already_assigned', TAKEN, { owner: 'AGENT', assignedTo });
}

/** Who must have the chat: the bots; or the bots, unless it has ended; null: anyone. */
export type RequiredOwner = 'BOT' | 'BOT_OR_NOBODY' | null;

/** What a bot's request requires: its `ifOwner`, which is stricter than the bot's setting, or the setting. */
export function requiredOwner(
  { onlyOwnChats }: Pick<RequestContext, 'onlyOwnChats'>,
  ifOwner: 'BOT' | null | undefined,
): RequiredOwner {
  if (ifOwner != null) return ifOwner;
  return onlyOwnChats ? 'BOT_OR_NOBODY' : null;
}

/** The 409 for a bot's request, while someone else has the chat. */
function notOwner(required: RequiredOwner, owner: Owner, who: string = owner): Problem {
  const rule = required === 'BOT' ? 'ifOwner does not match' : 'The bot may only act in its own chats (onlyOwnChats)';
  return problemWith('not_owner', `${rule}: the chat is with ${who}`, { owner });
}

/**
 * Checks that the required owner has a chat and, if its group names a bot, that no other bot asks.
 * @param botId the bot that the group names
 * @throws Problem not_owner
 */
export function checkOwner(
  required: RequiredOwner,
  { status, agentId }: Pick<LockedChat, 'status' | 'agentId'>,
  { type, id }: Pick<Actor, 'type' | 'id'>,
  botId: string | null,
): void {
  if (required === null) return;
  const owner = ownerOf(status, agentId);
  const isRequired = owner === 'BOT' || (owner === 'NOBODY' && required === 'BOT_OR_NOBODY');
  if (!isRequired) throw notOwner(required, owner);
  if (type === 'BOT' && botId !== null && botId !== id) throw notOwner(required, owner, 'another bot');
}

/** The same for a locked chat. */
export async function checkOwnerLocked(
  tx: EntityManager,
  required: RequiredOwner,
  organizationId: string,
  chat: LockedChat,
  actor: Pick<Actor, 'type' | 'id'>,
): Promise<void> {
  if (required === null) return;
  checkOwner(required, chat, actor, await findBotOfGroup(tx, organizationId, chat.groupId));
}

/** The bot that a group names; null if it names none. */
export async function findBotOfGroup(tx: EntityManager, organizationId: string, id: string): Promise<string | null> {
  return (await tx.findOneBy(Group, { organizationId, id }))?.botId ?? null;
}

/** The 409 for one more change of a rating. */
export function changedTooOften(): Problem {
  return new Problem(
    'rating_over',
    `A rating can be changed ${MAX_RATING_CHANGES} times; this one can no longer be changed`,
  );
}

async function refuse(
  tx: EntityManager,
  organizationId: string,
  { status, agentId }: LockedChat,
  code: ProblemCode,
  detail: string,
): Promise<Problem> {
  const agent = agentId === null ? null : await tx.findOneBy(Agent, { organizationId, id: agentId });
  const assignedTo = agent && { id: agent.id, name: agent.name };
  return problemWith(code, detail, { owner: ownerOf(status, agentId), assignedTo });
}
