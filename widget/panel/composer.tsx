import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../text.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';

/** Code points; the service takes no more. */
const LIMIT = 5_000;
const COUNT_FROM = LIMIT - 500;

/** Where the visitor writes. The panel is never taken down, so a draft is still there when it opens again. */
export function Composer() {
  const { client, strings } = useKit();
  const [draft, setDraft] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const length = draft.length > COUNT_FROM ? [...draft.trim()].length : draft.length;
  const isSendable = !!draft.trim() && length <= LIMIT;

  useLayoutEffect(() => {
    const { style } = field.current!;
    style.height = 'auto';
    style.height = `${field.current!.scrollHeight}px`;
  }, [draft]);

  const write = (text: string) => {
    setDraft(text);
    client.setTyping(!!text.trim());
  };
  const send = () => {
    if (!isSendable) return;
    // A failure is shown with the message, which stays in `pending`.
    client.send(draft.trim()).catch(() => undefined);
    write('');
    field.current!.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the composition of a word; 229 is how Safari says that.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div class="field">
        <textarea
          ref={field}
          rows={1}
          // What is empty has no direction of its own, and would be shown as English is.
          dir={draft ? 'auto' : undefined}
          value={draft}
          placeholder={strings.write}
          aria-label={strings.message}
          aria-invalid={length > LIMIT}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => client.setTyping(false)}
        />
        <button type="submit" class="round send" aria-label={strings.send} disabled={!isSendable}>
          <Icon name="send" />
        </button>
      </div>
      {length > COUNT_FROM && (
        <p class={`count ${length > LIMIT ? 'over' : ''}`} role="status">
          {fill(strings.count, { count: length, limit: LIMIT })}
        </p>
      )}
    </form>
  );
}
