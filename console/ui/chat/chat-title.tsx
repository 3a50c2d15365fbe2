import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/request.js';
import type { Detail } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { draftOf, setDraft } from '../../state/chat/drafts.js';
import { notify } from '../../state/notices.js';

/** What the visitor's list calls the chat. It's saved with Enter, or when the field is left. */
export function ChatTitle({ detail }: { detail: Detail }) {
  // The key: what is typed belongs to the chat where it began.
  return <TitleField key={detail.id} detail={detail} />;
}

function TitleField({ detail: { id, title } }: { detail: Detail }) {
  const field = useRef<HTMLInputElement>(null);
  const isShown = useRef(false);
  const { isTyping, isUnsaved, write, save } = useTitle(id, title);
  const show = () => void (field.current!.value = draftOf(id, 'title') || (title ?? ''));
  // A title that a bot or a colleague sets never changes a field while someone types in it.
  useLayoutEffect(() => {
    if (!isTyping && (!isShown.current || draftOf(id, 'title') === '')) show();
    isShown.current = true;
  }, [title]);
  const discard = () => {
    write('');
    show();
  };
  return (
    <>
      <input
        ref={field}
        class="chat-title"
        dir="auto"
        aria-label={strings.value.chatTitle}
        aria-invalid={isUnsaved}
        maxLength={80}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onChange={({ currentTarget }) => void save(currentTarget.value.trim()).then((isSaved) => isSaved || show())}
      />
      {isUnsaved && <Unsaved onRetry={() => void save(field.current!.value.trim())} onDiscard={discard} />}
    </>
  );
}

/** A title is a draft of the chat until it's saved. `save` returns whether it was. */
function useTitle(id: string, title: string | null) {
  const draft = draftOf(id, 'title');
  const [isTyping, setTyping] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const write = (typed: string) => {
    setTyping(true);
    setDraft(id, 'title', typed);
  };
  const save = async (typed: string) => {
    setTyping(false);
    setSaving(true);
    try {
      if (typed !== (title ?? '')) await call('PATCH', `/chats/${id}`, { title: typed || null });
      if (draftOf(id, 'title').trim() === typed) setDraft(id, 'title', '');
      return true;
    } catch (error) {
      notify(explain(error), 'trouble');
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { isTyping, isUnsaved: draft !== '' && !isTyping && !isSaving, write, save };
}

/** Says that what stands in the field isn't the title. */
function Unsaved({ onRetry, onDiscard }: { onRetry: () => void; onDiscard: () => void }) {
  const text = strings.value;
  return (
    <span class="title-unsaved small">
      {text.titleNotSaved}{' '}
      <button type="button" class="button link" onClick={onRetry}>
        {text.tryAgain}
      </button>{' '}
      <button type="button" class="button link" onClick={onDiscard}>
        {text.discardTyped}
      </button>
    </span>
  );
}
