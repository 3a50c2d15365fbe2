/**
 * How long each part of a request may take. A request that reaches a limit gets a 503. Tests raise them, so that their
 * results don't depend on how busy a machine is.
 */
export const TIME_LIMITS_MS = {
  /**
   * Until a request is answered. The statements of a request have their own limits, for the connection and for their
   * end, which add up.
   */
  request: 4_000,
  /** The interval of the check that a streamed body makes progress. */
  bodyProgress: 30_000,
  /** Until a statement ends. */
  statement: 4_000,
  /** Until a commit is replicated. Later commits are then rejected until the synchronous standby responds. */
  commit: 2_000,
  /** Until the database sends something; then its connection is closed. */
  silence: 4_500,
  /**
   * Between two statements of a transaction; then the database ends the connection. A node that lost its network or
   * power can't report it, and would hold its locks for hours. Short enough that a waiting chat continues within 5 s.
   */
  pause: 3_000,
  /** Until a connection to the database is free. */
  connection: 3_000,
  /** Until the database answers a health check or a scrape. */
  scrape: 2_000,
  /** Until a search stops. The rest of the 2 s of an answer is for reading the chats that it found (CONTRACT: Search). */
  search: 1_800,
  /** Until a request no longer waits for an erasure to end. */
  erasure: 3_000,
  /** Until the provider of a captcha answers. */
  captcha: 3_000,
};
