import type { Message } from '../../client/types.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { markLong } from './long.js';
import { optionsOf } from '../../../headless/options.js';

/** The answers that a bot suggests. The first click removes them, because it creates a pending message. */
export function QuickReplies({ message }: { message: Message }) {
  const { client } = usePanel();
  const options = optionsOf(message).filter(({ value }) => value !== undefined);
  if (options.length === 0) return null;
  const answer = (label: string, value: string, chip: HTMLElement) => {
    focusPanel(chip);
    // One id per question: a second click, or a click in another tab, sends no second answer.
    const clientMessageId = `reply_${message.id}`.slice(0, 64);
    client.send(label, { clientMessageId, replyTo: { messageId: message.id, value } }).catch(() => undefined);
  };
  return (
    <div class="chips" ref={markLong}>
      {options.map(({ label, value = '' }) => (
        <button class="choice chip" onClick={(event) => answer(label, value, event.currentTarget)}>
          <bdi>{label}</bdi>
        </button>
      ))}
    </div>
  );
}
