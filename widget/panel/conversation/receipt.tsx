import type { PendingMessage } from '../../client/types.js';
import { focusPanel } from '../lib/focus.js';
import { Icon } from '../icon.js';
import { usePanel } from '../lib/context.js';
import type { Entry } from './timeline.js';

/** The line below a message: its time, and whether a message of the visitor is sent, seen or failed. */
export function Receipt({ entry, receipt }: { entry: Entry; receipt?: string }) {
  const { formats, strings } = usePanel();
  const { message, pending, isLast } = entry;
  if (pending?.state === 'failed') return <Failure id={pending.clientMessageId} error={pending.error} />;
  if (pending) {
    return (
      <div class="receipt">
        <Icon name="clock" />
        {strings.sending}
      </div>
    );
  }
  if (!isLast && !receipt) return null;
  return (
    <div class="receipt">
      {isLast && <time dateTime={message.createdAt}>{formats.time(message.createdAt)}</time>}
      {isLast && receipt && ' · '}
      {receipt}
    </div>
  );
}

function Failure({ id, error }: { id: string; error?: PendingMessage['error'] }) {
  const { client, strings } = usePanel();
  const isOver = error?.code === 'offer_over';
  const settle = (button: HTMLElement, action: () => void) => {
    focusPanel(button);
    action();
  };
  return (
    <div class="receipt failure">
      <span role="alert" title={error?.detail}>
        <Icon name="alert" /> {isOver ? strings.offerOver : strings.notSent}
      </span>
      {!isOver && (
        <button class="text" onClick={(event) => settle(event.currentTarget, () => client.retry(id))}>
          {strings.retry}
        </button>
      )}
      <button class="text" onClick={(event) => settle(event.currentTarget, () => client.discard(id))}>
        {strings.discard}
      </button>
    </div>
  );
}
