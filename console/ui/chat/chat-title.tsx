import { useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../api/request.js';
import type { Detail } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/actions.js';
import { notify } from '../../state/notices.js';

/** What the visitor's list calls the chat. It's saved with Enter, or when the field is left. */
export function ChatTitle({ detail: { id, title } }: { detail: Detail }) {
  const field = useRef<HTMLInputElement>(null);
  const show = () => void (field.current!.value = title ?? '');
  useLayoutEffect(show, [id, title]);
  const save = () => {
    call('PATCH', `/chats/${id}`, { title: field.current!.value.trim() || null }).catch((error: unknown) => {
      show();
      notify(explain(error), 'trouble');
    });
  };
  return (
    <input
      ref={field}
      class="chat-title"
      dir="auto"
      aria-label={strings.value.chatTitle}
      maxLength={80}
      onChange={save}
    />
  );
}
