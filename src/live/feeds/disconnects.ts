import type { SessionEndReason } from '../../auth/context/auth.events.js';
import type { ProblemCode } from '../../platform/errors/problem-codes.js';

interface Row {
  /** Why it happens, as Markdown. */
  meaning: string;
  /** Whether connecting again can succeed without anything else. */
  shouldReconnect: boolean;
  /** What a client does, as Markdown. */
  action: string;
}

interface Disconnect extends Row {
  who: 'visitors' | 'agents' | 'all';
  /** What `disconnect` says in a Socket.IO client. */
  seen: 'io server disconnect' | 'transport close' | 'ping timeout';
  /** Whether Parley itself closes it, and counts it in `parley_socket_ended_total`. */
  isCounted: boolean;
}

type Refusals = Partial<Record<ProblemCode | 'too_many_connections', Row>>;

/**
 * Why a connection or a socket is refused: the codes in `connect_error`, and the reasons of `parley_socket_refused_total`. The page of
 * disconnects is generated from these tables (`npm run generate:reference`).
 */
export const REFUSALS = {
  unauthorized: {
    meaning: 'The token is missing, malformed, expired, or ended, or its visitor, agent, or organization was deleted.',
    shouldReconnect: false,
    action: 'Start a new session without the old token. An agent signs in again.',
  },
  forbidden: {
    meaning: "The page's origin isn't in `allowedOrigins`, or an agent's cookie came from another origin.",
    shouldReconnect: false,
    action: 'Add the origin to the organization. Nothing that the client does helps.',
  },
  blocked: {
    meaning: 'An agent has blocked the visitor.',
    shouldReconnect: false,
    action: "Say that the chat isn't available. Keep the token: a new one would be a new visitor.",
  },
  not_found: {
    meaning: 'The client asked for another namespace than `/visitor` or `/agent`.',
    shouldReconnect: false,
    action: 'Connect to `/visitor` or `/agent`.',
  },
  rate_limited: {
    meaning:
      'Too many wrong tokens or requests without a token came from this address, or too many requests from this visitor or agent.',
    shouldReconnect: true,
    action: 'Connect again after a minute.',
  },
  too_many_connections: {
    meaning:
      'The address has `VISITOR_CONNECTION_LIMIT` open sockets. The answer is 403, before Socket.IO: `err.data` is undefined.',
    shouldReconnect: true,
    action: 'Socket.IO clients connect again by themselves. Give others an increasing delay.',
  },
  unavailable: {
    meaning: "The database can't be reached, the node is shutting down or overloaded, or the handshake took too long.",
    shouldReconnect: true,
    action: 'Connect again with an increasing delay.',
  },
  internal_error: {
    meaning: 'A bug in Parley.',
    shouldReconnect: true,
    action: 'Connect again with an increasing delay.',
  },
} as const satisfies Refusals;

/** Why an open connection closes. Parley counts the connections that it closes itself. */
export const DISCONNECTS = {
  session_ended: {
    who: 'visitors',
    seen: 'io server disconnect',
    meaning:
      "The token expired or was ended, the visitor was erased, the organization was deleted, or the page's origin was removed from `allowedOrigins`. On other nodes it takes up to 10 s.",
    shouldReconnect: true,
    action: 'Connect again once. The refusal says what is wrong.',
    isCounted: true,
  },
  chat_removed: {
    who: 'visitors',
    seen: 'io server disconnect',
    meaning: 'A chat that the socket had opened was removed by retention.',
    shouldReconnect: true,
    action: 'Connect again. `chat:open` with the removed chat is `not_found`: open a new one.',
    isCounted: true,
  },
  agent_session_ended: {
    who: 'agents',
    seen: 'io server disconnect',
    meaning: "The agent's session ended. `session:ended` comes first and has [the reason](#ended-sessions).",
    shouldReconnect: false,
    action: 'Sign in again.',
    isCounted: true,
  },
  setup_failed: {
    who: 'agents',
    seen: 'io server disconnect',
    meaning: "Parley couldn't read the agent's chats. No `session:ended` comes first.",
    shouldReconnect: true,
    action: 'Connect again with an increasing delay.',
    isCounted: true,
  },
  not_connected: {
    who: 'all',
    seen: 'transport close',
    meaning: 'The first packet was no request for a namespace, or had more than 4,096 characters.',
    shouldReconnect: false,
    action: 'Use a Socket.IO 4 client, and ask for a namespace first.',
    isCounted: true,
  },
  too_many_connects: {
    who: 'all',
    seen: 'transport close',
    meaning:
      'The client asked for a namespace while its previous request was unanswered, or was refused five times in a row.',
    shouldReconnect: false,
    action: 'Wait for the answer. After a refusal, do what [its row](#refused-connections) says.',
    isCounted: true,
  },
  too_many_requests: {
    who: 'all',
    seen: 'transport close',
    meaning: 'More than 1,000 requests of the connection were waiting for their turn.',
    shouldReconnect: true,
    action: 'Wait for acknowledgements before you send more.',
    isCounted: true,
  },
  flood: {
    who: 'all',
    seen: 'transport close',
    meaning:
      'The client sent three times its rate limit in a second (`VISITOR_RATE_LIMIT`, `AGENT_RATE_LIMIT`), or more than 20 packets without a namespace.',
    shouldReconnect: true,
    action: 'Send less.',
    isCounted: true,
  },
  packet_too_large: {
    who: 'all',
    seen: 'transport close',
    meaning: 'A packet had more than 262,144 bytes, or a WebSocket message more than 64 fragments.',
    shouldReconnect: true,
    action: "Send smaller payloads, and don't resend this one.",
    isCounted: false,
  },
  unread: {
    who: 'all',
    seen: 'transport close',
    meaning:
      'The client left 4 MB unread, or read nothing for 60 s. Counted in `parley_unread_connections_ended_total`.',
    shouldReconnect: true,
    action: 'Read faster. `sync` gets what was missed.',
    isCounted: false,
  },
  no_namespace: {
    who: 'all',
    seen: 'transport close',
    meaning: 'The connection asked for no namespace within 10 s.',
    shouldReconnect: true,
    action: 'Ask for `/visitor` or `/agent` right after connecting.',
    isCounted: false,
  },
  network: {
    who: 'all',
    seen: 'ping timeout',
    meaning: 'The network was lost: a heartbeat got no answer in time.',
    shouldReconnect: true,
    action: 'Socket.IO clients connect again by themselves.',
    isCounted: false,
  },
  shutdown: {
    who: 'all',
    seen: 'transport close',
    meaning: 'The node stopped or restarted, or a proxy closed the connection.',
    shouldReconnect: true,
    action: 'Socket.IO clients connect again by themselves, to another node if one is running.',
    isCounted: false,
  },
} as const satisfies Record<string, Disconnect>;

/** What each `reason` of `session:ended` means to an agent. */
export const SESSION_ENDS: Record<SessionEndReason, Row> = {
  SIGNED_OUT: {
    meaning: 'The session was ended: here, in another tab, or in the list of sessions.',
    shouldReconnect: false,
    action: 'Show the sign-in page.',
  },
  EXPIRED: {
    meaning: 'The session was unused for 12 hours, or is 30 days old.',
    shouldReconnect: false,
    action: 'Show the sign-in page.',
  },
  PASSWORD_CHANGED: {
    meaning: 'The password was changed in another session.',
    shouldReconnect: false,
    action: 'Ask for the new password.',
  },
  DISABLED: {
    meaning: 'An administrator disabled the agent.',
    shouldReconnect: false,
    action: 'Signing in fails until an administrator enables the agent.',
  },
  DELETED: {
    meaning: 'The agent or the organization was deleted.',
    shouldReconnect: false,
    action: 'Signing in fails from now on.',
  },
};

export type RefusalReason = keyof typeof REFUSALS | ProblemCode;

/** The reasons that Parley counts. */
export type DisconnectReason = {
  [Reason in keyof typeof DISCONNECTS]: (typeof DISCONNECTS)[Reason]['isCounted'] extends true ? Reason : never;
}[keyof typeof DISCONNECTS];
