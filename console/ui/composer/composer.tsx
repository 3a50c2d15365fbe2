import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Reply, Row } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/actions.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { type DraftKind, draftOf, setDraft } from '../../state/chat/drafts.js';
import { setLiveText, showsLiveText } from '../../state/chat/live-text.js';
import { notify } from '../../state/notices.js';
import { sendMessage } from '../../state/chat/outbox.js';
import { readReplies } from '../../state/chat/replies.js';
import { isMine } from '../../state/inbox/views.js';
import { Icon } from '../parts/icon.js';
import { focusComposer } from '../screen.js';
import { shortcutIn, Suggestions, useSuggestions } from './suggestions.js';
import { composerKind } from './composer-kind.js';

/** The longest message and the longest note, in characters. */
const LIMIT = 5_000;

const COUNT_FROM = LIMIT - 500;

/** Where the agent writes: messages into chats it has, notes into every chat that it sees. */
export function Composer({ chat, row }: { chat: OpenChat; row: Row }) {
  const mayWrite = isMine(row) || row.owner === 'NOBODY';
  // Where only notes can be written, the field stays away until it is wanted.
  const isWanted = mayWrite || composerKind.value === 'note' || draftOf(chat.id, 'note') !== '';
  return isWanted ? <Field chat={chat} row={row} mayWrite={mayWrite} /> : null;
}

function Field({ chat, row, mayWrite }: { chat: OpenChat; row: Row; mayWrite: boolean }) {
  const text = strings.value;
  const kind: DraftKind = mayWrite ? composerKind.value : 'note';
  const isNote = kind === 'note';
  const draft = draftOf(chat.id, kind);
  const field = useRef<HTMLTextAreaElement>(null);
  const suggestions = useSuggestions(isNote ? '' : draft);
  const [isSaving, setSaving] = useState(false);
  const length = draft.length > COUNT_FROM ? [...draft.trim()].length : draft.length;
  const isSendable = draft.trim() !== '' && length <= LIMIT && !isSaving;

  useGrowth(field.current, draft, kind);
  const write = (value: string) => {
    setDraft(chat.id, kind, value);
    if (!isNote && isMine(row)) chat.typing.set(value.trim() !== '', liveTextOf(value));
  };
  // What the visitor sees already goes with the switch.
  const switchLiveText = (isShown: boolean) => {
    setLiveText(isShown);
    if (draft.trim()) chat.typing.set(true, isShown ? liveTextOf(draft) : '');
  };
  const insert = ({ content }: Reply) => {
    write(draft.slice(0, draft.length - suggestions.typed.length - 1) + content);
    field.current?.focus();
  };
  const send = () => {
    if (!isSendable) return;
    if (isNote) return void saveNote();
    chat.typing.stop();
    sendMessage(chat.id, draft.trim());
    setDraft(chat.id, kind, '');
    field.current?.focus();
  };
  const saveNote = async () => {
    setSaving(true);
    try {
      setDraft(chat.id, 'note', '');
      await chat.addNote(draft.trim());
    } catch (error) {
      // With what was written meanwhile behind it.
      setDraft(chat.id, 'note', [draft.trim(), draftOf(chat.id, 'note')].filter(Boolean).join('\n'));
      notify(explain(error), 'trouble');
    } finally {
      setSaving(false);
      field.current?.focus();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends the composition of a word sends nothing. Safari signals that by key code 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (suggestions.onKey(event, insert)) return event.preventDefault();
    if (event.key === 'Escape') {
      event.stopPropagation();
      return field.current?.blur();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const onFocus = () => {
    // What is begun as a note stays one, whoever gets the chat meanwhile.
    composerKind.value = kind;
    void readReplies();
  };
  const name = visitorName(row);
  return (
    <form
      class={`composer ${isNote ? 'is-note' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {suggestions.isOpen && <Suggestions {...suggestions} onChoose={insert} />}
      <div class="composer-head">
        {mayWrite && (
          <div class="tabs" role="group" aria-label={text.actions}>
            <Tab kind="message" current={kind} label={text.toMessage} />
            <Tab kind="note" current={kind} label={text.toNote} />
          </div>
        )}
        {!isNote && isMine(row) && <LiveTextSwitch onSwitch={switchLiveText} />}
        {isNote ? (
          <p class="only">
            <Icon name="note" />
            {text.noteHint}
          </p>
        ) : (
          row.owner === 'NOBODY' && <p class="hint small">{text.reopens}</p>
        )}
      </div>
      <div class="field">
        <textarea
          ref={field}
          rows={1}
          dir={draft ? 'auto' : undefined}
          value={draft}
          placeholder={isNote ? text.writeNote : text.writeMessage}
          aria-label={isNote ? text.noteFor : fill(text.messageTo, { name })}
          aria-invalid={length > LIMIT}
          aria-autocomplete="list"
          aria-controls={suggestions.isOpen ? 'replies' : undefined}
          aria-activedescendant={suggestions.isOpen ? `reply-${suggestions.chosen}` : undefined}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          onBlur={() => !isNote && chat.typing.set(false)}
        />
        <button
          type="submit"
          class="button primary send"
          aria-label={isNote ? text.addNote : text.send}
          disabled={!isSendable}
        >
          <Icon name={isNote ? 'note' : 'send'} />
          <span>{isNote ? text.addNote : text.send}</span>
        </button>
      </div>
      {length > COUNT_FROM && (
        <p class={`hint small ${length > LIMIT ? 'failure' : ''}`} role="status">
          {fill(text.tooLong, { count: length, limit: LIMIT })}
        </p>
      )}
    </form>
  );
}

/** What the visitor is to see of a text that is being written; undefined: nothing new, as while a canned reply is chosen. */
function liveTextOf(value: string): string | undefined {
  const isFit = showsLiveText.value && value.length <= LIMIT && shortcutIn(value) === null;
  return isFit ? value : undefined;
}

function LiveTextSwitch({ onSwitch }: { onSwitch: (isShown: boolean) => void }) {
  const text = strings.value;
  const isOn = showsLiveText.value;
  return (
    <button
      type="button"
      class="tab live-tab"
      aria-pressed={isOn}
      title={isOn ? text.liveTextOn : text.liveTextOff}
      onClick={() => onSwitch(!isOn)}
    >
      <Icon name="eye" />
      {text.liveText}
    </button>
  );
}

function Tab({ kind, current, label }: { kind: DraftKind; current: DraftKind; label: string }) {
  const choose = () => {
    composerKind.value = kind;
    focusComposer();
  };
  return (
    <button type="button" class={`tab ${kind}-tab`} aria-pressed={kind === current} onClick={choose}>
      {label}
    </button>
  );
}

/** Makes the field as high as its text; the style sheet bounds it. */
function useGrowth(field: HTMLTextAreaElement | null, draft: string, kind: DraftKind): void {
  useLayoutEffect(() => {
    if (!field) return;
    field.style.height = draft && 'auto';
    if (draft) field.style.height = `${field.scrollHeight}px`;
  }, [field, draft, kind]);
}
