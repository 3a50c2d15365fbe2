import { useEffect, useSyncExternalStore } from 'react';
import { createVisitorClient, toTimeline } from 'parley-visitor';

/** One client per organization for as long as the page is open. StrictMode and routers mount components more than once. */
const clients = new Map();

function clientOf({ url, widgetKey }) {
  if (!clients.has(widgetKey)) clients.set(widgetKey, createVisitorClient({ url, widgetKey }));
  return clients.get(widgetKey);
}

/** The value of one of the client's observables. */
function useValue(observable) {
  return useSyncExternalStore(observable.subscribe, () => observable.value);
}

/**
 * The visitor's chat. It begins with the first message, and continues after a reload.
 * @returns the client, and what a component draws: stored and pending messages in one list, who is typing, and the rest
 */
export function useChat({ url, widgetKey }) {
  const client = clientOf({ url, widgetKey });
  useEffect(() => {
    // A failure is in `connection`.
    client.resumeChat().catch(() => undefined);
  }, [client]);
  return {
    client,
    chat: useValue(client.chat),
    entries: toTimeline(useValue(client.messages), useValue(client.pending)),
    typists: useValue(client.typing),
    unread: useValue(client.unread),
    connection: useValue(client.connection),
  };
}
