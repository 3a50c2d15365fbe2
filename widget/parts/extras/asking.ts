import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { recall } from '../../panel/lib/tab-storage.js';

/** Whether the visitor has said nothing yet in this chat. */
export function useIsNew(): boolean {
  const { client } = usePanel();
  const isSending = useObservable(client.pending).length > 0;
  return useObservable(client.messages, isUnspoken) && !isSending;
}

/** Whether the visitor must say who they are before the first message. */
export function useIsAsking(): boolean {
  const { host } = usePanel();
  const isNew = useIsNew();
  return isNew && !recall('introduced') && !host.identity && !!(host.chosen?.askName || host.chosen?.askEmail);
}

function isUnspoken(messages: readonly Message[]): boolean {
  return messages.every(({ sender }) => sender.type !== 'VISITOR');
}
