import type { Role } from '../agents/role.js';

/** The agent for whom chats are read. */
export interface Viewer {
  organizationId: string;
  agentId: string;
  role: Role;
}
