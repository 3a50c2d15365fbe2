import { sqlIsConnected } from './presence.queries.js';

/** SQL: whether routing may give chats to an agent who has room: enabled, connected and accepting. @param agent the alias of a row of `agents` */
export const sqlIsOnline = (agent: string) => `(${agent}.is_accepting AND ${sqlIsConnected(agent)})`;

/** SQL: whether an agent has room for one more chat; offers count. @param agent the alias of a row of `agents` */
export const sqlHasRoom = (agent: string) => `${agent}.open_chats + ${agent}.pending_offers < ${agent}.capacity`;
