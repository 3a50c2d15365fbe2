import type { Chat, CoreClient } from '../client/types.js';
import type { Host, WidgetEvents } from '../types.js';

/** By event: whether it has happened, in words that change when it happens again, and what is emitted with it. */
type Facts = Record<string, [sign: unknown, more?: object]>;

/** What tabs emitted of a chat: its length then, and the sign of each event. */
type Emitted = [count: number, signs: Record<string, unknown>];

/** Where tabs keep what was emitted. A sign-out clears it. */
const KEY = 'parley:emitted';
/** Of how many chats it's kept. */
const CHATS = 8;
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
    // A chat that is opened again is as new to the page as the first.
    if (!chat) return void (beforeId = '');
    const { id, messageCount, owner, group, assignedTo, rating } = chat;
    const facts: Facts = {
      'chat.started': [!messageCount],
      'handoff.requested': [owner === 'QUEUE', { group: group?.name ?? null }],
      'person.joined': [assignedTo?.id, { name: assignedTo?.name }],
      'chat.ended': [owner === 'NOBODY'],
      'chat.rated': [rating?.score, { score: rating?.score }],
    };
    const isNews = (event: string) => (id === beforeId ? facts[event]![0] !== before[event]![0] : !messageCount);
    const news = Object.entries(facts).filter(([event]) => isNews(event));
    if (news[0]) emitOnce(host, chat, news);
    before = facts;
    beforeId = id;
  };
  look(first);
  client.chat.subscribe(look);
}

/** Emits what no other tab has emitted. Without storage, every tab does. */
function emitOnce(host: Host, { id, messageCount }: Chat, news: [string, Facts[string]][]): void {
  const emit = () => {
    const { [id]: known, ...others } = recall();
    const [count, signs]: Emitted = known ?? [0, {}];
    // A tab that is behind has nothing new.
    if (messageCount < count) return undefined;
    remember({
      ...others,
      [id]: [messageCount, { ...signs, ...Object.fromEntries(news.map(([event, [sign]]) => [event, sign])) }],
    });
    for (const [event, [sign, more]] of news)
      if (sign && sign !== signs[event]) host.emit(event as keyof WidgetEvents, { chatId: id, ...more } as never);
    return new Promise((end) => setTimeout(end, TURN_MS));
  };
  // A page without https has no locks.
  const { locks } = self.navigator as Partial<Navigator>;
  void (locks ? locks.request(KEY, emit) : emit());
}

function recall(): Record<string, Emitted> {
  try {
    return JSON.parse((localStorage[KEY] as string | undefined) ?? '{}') as Record<string, Emitted>;
  } catch {
    return {};
  }
}

function remember(emitted: Record<string, Emitted>): void {
  try {
    localStorage[KEY] = JSON.stringify(Object.fromEntries(Object.entries(emitted).slice(-CHATS)));
  } catch {
    // The browser keeps nothing.
  }
}
