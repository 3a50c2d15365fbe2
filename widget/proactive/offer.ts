import type { ParleyFunction } from '../launcher/api.js';
import { recall, remember } from '../panel/lib/tab-storage.js';
import type { Chosen, Host } from '../types.js';
import type { Memory } from './memory.js';

type Message = Chosen['proactiveMessages'][number];

/** The message of this page: offered, then shown beside the button, then opened. */
export interface Offer {
  make(message: Message): void;
  /** The panel is open: a message that was shown is its greeting. */
  open(): void;
  /** Takes the message away unless it was opened, or is shown and still fits. Returns whether there is one. */
  keep(fits: (message: Message) => boolean): boolean;
}

export function createOffer(host: Host, messages: readonly Message[], memory: Memory): Offer {
  let message: Message | undefined;
  let isShown = false;
  /** Of this tab, until a chat begins. */
  let openedId = recall('proactive');
  const rememberOpened = (id: string) => remember('proactive', (openedId = id));
  const take = (next?: Message) => {
    message = next;
    isShown = !!next && next.id === openedId;
    host.proactive = next && {
      get offered() {
        // In the language that the page has by now.
        return host.chosen?.proactiveMessages.find(({ id }) => id === next.id)?.text ?? next.text;
      },
      get greeting() {
        return isShown ? this.offered : undefined;
      },
      shown() {
        if (isShown) return;
        isShown = true;
        memory.see(next.id);
        host.emit('proactive.shown', { id: next.id });
      },
      opened: open,
      dismissed: () => take(),
    };
  };
  const open = () => {
    if (!message || !isShown || openedId) return;
    rememberOpened(message.id);
    host.emit('proactive.opened', { id: message.id });
  };
  const withPage = host.page;
  host.page = () => {
    const proactiveMessage = openedId || undefined;
    return withPage || proactiveMessage ? { ...withPage?.(), proactiveMessage } : undefined;
  };
  // The next chat is not an answer to it.
  whenChatStarts(() => {
    rememberOpened('');
    take();
  });
  take(messages.find(({ id }) => id === openedId));
  return {
    make(next) {
      take(next);
      host.start().then(
        (panel) => panel.greet(),
        () => undefined,
      );
    },
    open,
    keep(fits) {
      if (!message || openedId || (isShown && fits(message))) return !!message;
      const wasShown = isShown;
      take();
      if (wasShown) void host.start().then((panel) => panel.setOpen(false, false));
      return false;
    },
  };
}

function whenChatStarts(then: () => void): void {
  const { Parley } = document.defaultView as Window & { Parley?: ParleyFunction };
  Parley?.('on', 'chat.started', then);
}
