import type { AgentIdentity } from './agent-sessions.queries.js';
import { type RequestContext, socketContext } from '../context/request-context.js';

/** The context of an agent who changes their own account. @param address the source address */
export function agentContext({ organizationId, agentId, name }: AgentIdentity, address: string): RequestContext {
  return { ...socketContext(organizationId, { type: 'AGENT', id: agentId, name }), sourceAddress: address };
}
