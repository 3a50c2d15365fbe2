/** The shortest time from one change to the next, in milliseconds: 200 chats take ten seconds. */
const INTERVAL_MS = 50;
/** The longest pause, in milliseconds. */
const MAX_PAUSE_MS = 250;

/** The pauses of a run that changes many chats one after the other, so that the requests of others don't wait for it. */
export class Pace {
  private fastest = Infinity;

  /**
   * The pause after a change, in milliseconds. The time that a change takes longer than the fastest one is the service's, not the
   * network's, so the pause is at least as long: a busy service gets longer pauses, and a slow network none.
   */
  pauseAfter(took: number): number {
    this.fastest = Math.min(this.fastest, took);
    return Math.min(Math.max(INTERVAL_MS - took, took - this.fastest), MAX_PAUSE_MS);
  }
}
