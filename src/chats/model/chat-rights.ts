import { isAtLeast, type Role } from '../../agents/role.js';

// May an agent see a chat (CONTRACT: Signing in)? The chat's agent, agents of its group, and supervisors may. This file has the only
// copy of the rule, in memory and in SQL. test/agent/chat-rights compares the two on random cases.

/** An agent's rights, which decide the chats that the agent may see. */
export interface Rights {
  agentId: string;
  role: Role;
  groupIds: ReadonlySet<string>;
}

/** The agent who reads chats. */
export interface Viewer {
  organizationId: string;
  agentId: string;
  role: Role;
}

/** Whether an agent of this role sees the chats of every group. */
export function seesAllGroups(role: Role): boolean {
  return isAtLeast(role, 'SUPERVISOR');
}

/** Whether an agent may see a chat that isn't erased. */
export function maySee(
  { agentId, role, groupIds }: Rights,
  chat: { agentId: string | null; groupId: string },
): boolean {
  return chat.agentId === agentId || seesAllGroups(role) || groupIds.has(chat.groupId);
}

/**
 * SQL: whether an agent may see a row of `chats`.
 * @param seesAll whether the agent's role sees all groups
 * @param organizationId the organization of both
 */
export const sqlMaySee = (chat: string, agentId: string, seesAll: string, organizationId = '$1') => `
  ${chat}.erased_at IS NULL AND (${seesAll} OR ${chat}.agent_id = ${agentId} OR EXISTS (
    SELECT FROM agent_groups s
    WHERE s.organization_id = ${organizationId} AND s.group_id = ${chat}.group_id AND s.agent_id = ${agentId}))`;

/** SQL: whether a row of `agents` may see a row of `chats`, both of the organization `$1`. @param agent, chat their aliases */
export const sqlAgentMaySee = (agent: string, chat: string) =>
  sqlMaySee(chat, `${agent}.id`, `${agent}.role <> 'AGENT'`);

/** The value for the parameter of `isSeen`: null for a viewer who sees all groups. */
export function seenAs({ role, agentId }: Viewer): string | null {
  return seesAllGroups(role) ? null : agentId;
}

/** SQL: whether the viewer may see a row of `chats`. @param chat its alias; `$2` is the value of `seenAs` */
export const isSeen = (chat: string) => sqlMaySee(chat, '$2', '$2::text IS NULL');

const GROUPS_OF_ALL = 'SELECT id FROM groups WHERE organization_id = $1';
const groupsOfAgent = (agentId: string) =>
  `SELECT group_id AS id FROM agent_groups WHERE organization_id = $1 AND agent_id = ${agentId}`;

/** SQL: the ids of the groups whose chats the viewer sees. @param agentId the parameter with the viewer's id */
export const groupsSeenBy = (role: Role, agentId: string) =>
  seesAllGroups(role) ? GROUPS_OF_ALL : groupsOfAgent(agentId);
