import { fieldsIn, type FormField } from '../../../headless/form.js';
import type { Message } from '../../client/types.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { recall } from '../../panel/lib/tab-storage.js';

type Asking = 'optional' | 'required' | null | undefined;

/** What the form before the first message asks for. */
export interface Asked {
  askName?: Asking;
  askEmail?: Asking;
  /** The organization's own fields. */
  fields: readonly FormField[];
}

/** Whether the visitor has said nothing yet in this chat. */
export function useIsNew(): boolean {
  const { client } = usePanel();
  const isSending = useObservable(client.pending).length > 0;
  return useObservable(client.messages, isUnspoken) && !isSending;
}

/** What the visitor must say before the first message: who they are once in a tab, the own fields for each chat; undefined: nothing. */
export function useAsked(): Asked | undefined {
  const { host, client } = usePanel();
  const isNew = useIsNew();
  const hasChat = !!useObservable(client.chat);
  const isKnown = recall('introduced') || host.identity;
  const asked: Asked = {
    ...(!isKnown && { askName: host.chosen?.askName, askEmail: host.chosen?.askEmail }),
    fields: hasChat || recall('fields') ? [] : fieldsIn(host.chosen?.formFields),
  };
  return isNew && (asked.askName || asked.askEmail || asked.fields[0]) ? asked : undefined;
}

function isUnspoken(messages: readonly Message[]): boolean {
  return messages.every(({ sender }) => sender.type !== 'VISITOR');
}
