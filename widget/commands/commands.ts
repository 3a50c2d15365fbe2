import type { CoreClient } from '../client/types.js';
import type { recall, remember } from '../panel/lib/tab-storage.js';
import type { Host } from '../types.js';

/** What a command needs of the panel. */
interface Given {
  host: Host;
  client: CoreClient;
  recall: typeof recall;
  remember: typeof remember;
  /** Shows a chat of the visitor; the current one when omitted. Reports a failure. */
  openChat: (options?: { chatId: string }) => Promise<void>;
}

/** Runs a command of the page that the launcher doesn't know. */
export function run({ host, client, recall, remember, openChat }: Given, command: string, given: string): void {
  if (command === 'openChat') {
    void host.open();
    // Not a chat of the visitor: the own one is shown.
    void openChat({ chatId: given }).then(() => openChat());
  } else if (
    command === 'prefill' ||
    (command === 'send' && (mustFillIn(host, recall) || (mustRead(host) && !client.pending.value[0])))
  ) {
    // Sent once the visitor has filled in the form, or read the line, by themselves.
    if (!recall('draft')) remember('draft', given);
    host.mount.getRootNode().dispatchEvent(new Event('draft'));
  } else if (command === 'send') client.send(given).catch(() => undefined);
  else console.error(`Parley: there is no command "${command}"`);
}

/** Whether the form before the first message has a field that must be filled in. */
function mustFillIn({ chosen, identity }: Host, recallHere: Given['recall']): boolean {
  const isUnknown = !identity && !recallHere('introduced');
  const fields = (!recallHere('fields') && chosen?.formFields) || [];
  return (
    (isUnknown && [chosen?.askName, chosen?.askEmail].includes('required')) ||
    fields.some(({ isRequired }) => isRequired)
  );
}

/** Whether an anonymous visitor has yet to see the line that they agree to. One who has written has seen it. */
function mustRead({ chosen, identity, mount }: Host): boolean {
  return !identity && !!(chosen?.consent || chosen?.privacyUrl) && !mount.querySelector('.shown .privacy');
}
