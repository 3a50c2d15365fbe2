/** A node that was not seen for this time is gone, and its connections with it, in seconds. */
export const NODE_LEASE = 20;
/** A connection that was closed counts for this time: a reload or a second tab is no absence, in seconds. */
export const CLOSE_GRACE = 15;

/** Whether an agent, a row of `agents`, has a living connection, by the database's clock. */
export const sqlIsConnected = (agent = 'a') => `EXISTS (
    SELECT FROM agent_connections x JOIN nodes n ON n.id = x.node_id
    WHERE x.organization_id = ${agent}.organization_id AND x.agent_id = ${agent}.id
      AND n.seen_at > clock_timestamp() - interval '${NODE_LEASE} s'
      AND (x.closed_at IS NULL OR x.closed_at > clock_timestamp() - interval '${CLOSE_GRACE} s'))`;

/** Whether routing may give chats to an agent who has room: enabled, connected and accepting. */
export const sqlIsOnline = (agent = 'a') =>
  `(${agent}.is_enabled AND ${agent}.is_accepting AND ${sqlIsConnected(agent)})`;

/** Whether an agent has room for one more chat. Offers count. */
export const sqlHasRoom = (agent = 'a') => `${agent}.open_chats + ${agent}.pending_offers < ${agent}.capacity`;
