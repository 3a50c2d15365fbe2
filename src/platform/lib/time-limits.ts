/**
 * How long each part of a request may take, in milliseconds. A request that reaches one is answered 503. Tests raise them: what
 * is right doesn't depend on how busy a machine is.
 */
export const TIME_LIMITS_MS = {
  /**
   * Until a request is answered. The statements of a request each have their own limits, for the connection and for their end,
   * which add up.
   */
  request: 4_000,
  /** In which a streamed body must bring a minimum of bytes. */
  bodyProgress: 30_000,
  /** Until a statement ends. */
  statement: 4_000,
  /** Until a commit is replicated; then those that come after it are refused until the synchronous standby answers. */
  commit: 2_000,
  /** Until the database sends something; then its connection is closed. */
  silence: 4_500,
  /**
   * Between two statements of a transaction; then the database ends the connection. A node that lost its network or its power
   * says nothing of it, and what it has locked would be locked for hours. Short enough that a waiting chat goes on within 5 s.
   */
  pause: 3_000,
  /** Until a connection to the database is free. */
  connection: 3_000,
  /** Until the database answers a health check or a scrape. */
  scrape: 2_000,
};
