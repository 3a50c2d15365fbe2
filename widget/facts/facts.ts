import type { Chat, CoreClient } from '../client/types.js';
import type { Host, WidgetEvents } from '../types.js';

/** By event: whether it has happened, in words that change when it happens again, and what is emitted with it. */
type Facts = Record<string, [sign: unknown, more?: object]>;

/** What a tab has emitted. A sign-out clears it. */
const KEY = 'parley:emitted';
/** How much of what was emitted is kept, in characters. */
const KEPT = 2_000;
/** How long a tab takes its turn, in milliseconds: the next one then reads what it has stored. */
const TURN_MS = 50;

/**
 * Emits what happens to the page's chats, in one tab, for its analytics, without what people write. The state that a chat had when the page
 * opened it isn't reported.
 * @param first the chat that the page opened first, as it was then
 */
export function report(host: Host, client: CoreClient, first: Chat): void {
  let before: Facts = {};
  let beforeId: string;
  const look = (chat: Chat | null) => {
    // The next chat may be another person's.
    if (!chat) return forget();
    const { id, messageCount, owner, group, assignedTo, rating } = chat;
    const facts: Facts = {
      'chat.started': [!messageCount],
      'handoff.requested': [owner === 'QUEUE', { group: group?.name ?? null }],
      'person.joined': [assignedTo?.id, { name: assignedTo?.name }],
      'chat.ended': [owner === 'NOBODY'],
      'chat.rated': [rating?.score, { score: rating?.score }],
    };
    for (const event in facts) {
      const [sign, more] = facts[event]!;
      const isNews = id === beforeId ? sign !== before[event]![0] : !messageCount;
      if (sign && isNews) emitOnce(host, event as keyof WidgetEvents, { chatId: id, ...more }, messageCount);
    }
    before = facts;
    beforeId = id;
  };
  look(first);
  client.chat.subscribe(look);
}

/** Emits a fact unless another tab has. Without storage, every tab does. */
function emitOnce(host: Host, event: keyof WidgetEvents, value: object, count: number): void {
  const fact = JSON.stringify([event, value, count]);
  const emit = () => {
    let told = '';
    try {
      told = (localStorage[KEY] as string | undefined) ?? '';
      localStorage[KEY] = (fact + told).slice(0, KEPT);
    } catch {
      // The browser keeps nothing.
    }
    if (!told.includes(fact)) host.emit(event, value as never);
    return new Promise((end) => setTimeout(end, TURN_MS));
  };
  // A page without https has no locks.
  const { locks } = self.navigator as Partial<Navigator>;
  void (locks ? locks.request(KEY, emit) : emit());
}

function forget(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // The browser keeps nothing.
  }
}
