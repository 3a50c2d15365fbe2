import { createValue } from './observable.js';
import type { Sender } from './types.js';

/** A sender of whom nothing more is heard is taken to have stopped, in milliseconds: longer than the service's own time. */
const HEARD_FOR = 12_000;
/** While the visitor types it is said this often, and given up this long after the last key, in milliseconds. */
const SAY_EVERY = 4_000;
const GIVE_UP_AFTER = 6_000;

/** Who is typing, and saying that the visitor is. */
export function createTyping(say: (isTyping: boolean) => void) {
  const senders = createValue<readonly Sender[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let saidAt = 0;
  let giveUp: ReturnType<typeof setTimeout> | undefined;

  const nameOf = ({ type, id }: Sender) => `${type} ${id}`;

  function clear(sender: Sender): void {
    const name = nameOf(sender);
    clearTimeout(timers.get(name));
    if (timers.delete(name)) senders.set(senders.value.filter((other) => nameOf(other) !== name));
  }

  function set(isTyping: boolean): void {
    clearTimeout(giveUp);
    if (isTyping) giveUp = setTimeout(() => set(false), GIVE_UP_AFTER);
    if (isTyping ? Date.now() - saidAt < SAY_EVERY : saidAt === 0) return;
    saidAt = isTyping ? Date.now() : 0;
    say(isTyping);
  }

  return {
    senders,
    clear,
    set,
    /** The message itself says it to the others. */
    stop(): void {
      clearTimeout(giveUp);
      saidAt = 0;
    },
    hear({ sender, isTyping }: { sender: Sender; isTyping: boolean }): void {
      if (sender.type === 'VISITOR') return;
      clear(sender);
      if (!isTyping) return;
      senders.set([...senders.value, sender]);
      timers.set(
        nameOf(sender),
        setTimeout(() => clear(sender), HEARD_FOR),
      );
    },
    reset(): void {
      clearTimeout(giveUp);
      saidAt = 0;
      for (const sender of senders.value) clear(sender);
    },
  };
}
