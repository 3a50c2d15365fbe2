/** Parley refused a request, and would refuse it again. */
export class ParleyError extends Error {
  override name = 'ParleyError';

  constructor(
    readonly status: number,
    /** The problem's `code`, as in the bot guide; empty when the answer had none. */
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** Another process fetches the events of this bot. It must not be started again at once: the two would end each other for ever. */
export class SupersededError extends ParleyError {
  override name = 'SupersededError';

  constructor() {
    super(409, 'superseded', 'Another process fetches the events of this bot; give each process a bot of its own');
  }
}

/** The handler took longer than the deadline of a turn. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** The turn is over: people have the chat, it has ended, or the deadline has passed. The bot catches it, you need not. */
export class TurnOverError extends Error {
  override name = 'TurnOverError';

  constructor(why: string) {
    super(`The turn is over: ${why}`);
  }
}
