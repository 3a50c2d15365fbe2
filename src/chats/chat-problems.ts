import type { EntityManager } from 'typeorm';
import { Agent } from '../agents/agent.entity.js';
import { type Problem, type ProblemCode, problemWith } from '../platform/http/problem.js';
import { ownerOf } from './chat-owner.js';
import type { LockedChat } from './chat-transitions.queries.js';

/** The 409 of what only the agent who has the chat may do. */
export function notAssigned(tx: EntityManager, organizationId: string, chat: LockedChat): Promise<Problem> {
  return refuse(tx, organizationId, chat, 'not_assigned', 'You do not have this chat');
}

/** The 409 of what needs a chat that no other agent has. */
export function alreadyAssigned(tx: EntityManager, organizationId: string, chat: LockedChat): Promise<Problem> {
  return refuse(tx, organizationId, chat, 'already_assigned', 'Another agent has this chat');
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
