import { useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../api/request.js';
import type { Detail } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/actions.js';
import { notify } from '../../state/notices.js';

/** What the visitor's list calls the chat. It's saved with Enter, or when the field is left. */
export function ChatTitle({ detail }: { detail: Detail }) {
  // The key: what is typed belongs to the chat where it began.
  return <TitleField key={detail.id} detail={detail} />;
}

function TitleField({ detail: { id, title } }: { detail: Detail }) {
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);
  const show = () => void (field.current!.value = title ?? '');
  // A title that a bot or a colleague sets never changes a field while someone types in it.
  useLayoutEffect(() => {
    if (!isTyping.current) show();
  }, [title]);
  const leave = () => {
    isTyping.current = false;
    show();
  };
  const save = () => {
    isTyping.current = false;
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
      onInput={() => (isTyping.current = true)}
      onChange={save}
      onBlur={() => isTyping.current && leave()}
    />
  );
}
