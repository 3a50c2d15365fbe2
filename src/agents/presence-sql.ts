import { sqlIsConnected } from './presence.queries.js';

/** SQL: whether an agent is enabled, connected, and accepting chats. @param agent the alias of a row of `agents` */
export const sqlIsOnline = (agent: string) => `(${agent}.is_accepting AND ${sqlIsConnected(agent)})`;

/** SQL: whether an agent's capacity allows one more chat. Pending offers count. @param agent the alias of a row of `agents` */
export const sqlHasRoom = (agent: string) => `${agent}.open_chats + ${agent}.pending_offers < ${agent}.capacity`;
