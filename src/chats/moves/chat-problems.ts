import type { EntityManager } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import type { Actor } from '../../auth/context/request-context.js';
import { Group } from '../../groups/group.entity.js';
import { type Problem, problemWith } from '../../platform/errors/problem.js';
import type { ProblemCode } from '../../platform/errors/problem-codes.js';
import { type Owner, ownerOf } from '../model/chat-status.js';
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

/** The 409 for a request that needs a chat of the bots, while someone else has it. */
export function notOwner(owner: Owner, who: string = owner): Problem {
  return problemWith('not_owner', `ifOwner does not match: the chat is with ${who}`, { owner });
}

/**
 * Checks that the bots have a chat and, if its group names a bot, that no other bot asks.
 * @param botId the bot that the group names
 * @throws Problem not_owner
 */
export function checkBotOwns(
  { status, agentId }: Pick<LockedChat, 'status' | 'agentId'>,
  { type, id }: Pick<Actor, 'type' | 'id'>,
  botId: string | null,
): void {
  const owner = ownerOf(status, agentId);
  if (owner !== 'BOT') throw notOwner(owner);
  if (type === 'BOT' && botId !== null && botId !== id) throw notOwner(owner, 'another bot');
}

/** The same for a locked chat. */
export async function checkBotOwnsLocked(
  tx: EntityManager,
  organizationId: string,
  chat: LockedChat,
  actor: Pick<Actor, 'type' | 'id'>,
): Promise<void> {
  checkBotOwns(chat, actor, await findBotOfGroup(tx, organizationId, chat.groupId));
}

/** The bot that a group names; null if it names none. */
export async function findBotOfGroup(tx: EntityManager, organizationId: string, id: string): Promise<string | null> {
  return (await tx.findOneBy(Group, { organizationId, id }))?.botId ?? null;
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
