import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import type { Reply, Row } from '../api/types.js';
import { visitorName } from '../lib/names.js';
import { plural, strings } from '../locales/strings.js';
import { explain } from '../state/actions.js';
import type { OpenChat } from '../state/chat.js';
import { type DraftKind, draftOf, setDraft } from '../state/drafts.js';
import { setLiveText, showsLiveText } from '../state/live-text.js';
import { notify } from '../state/notices.js';
import { sendMessage } from '../state/outbox.js';
import { findReplies, readReplies } from '../state/replies.js';
import { isMine } from '../state/views.js';
import { Icon } from './icon.js';
import { focusComposer } from './screen.js';

/** The longest message and the longest note, in characters. */
const LIMIT = 5_000;
const COUNT_FROM = LIMIT - 500;
/** What is looked for is no longer than this. */
const MOST_TYPED = 60;
const WORD = /^[\p{L}\p{M}\p{N}_-]*$/u;
const WORDS = /^(?:[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_ -]*)?$/u;

/** Whether what is written is a message or a note. */
export const composerKind = signal<DraftKind>('message');

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

interface SuggestionState {
  found: Reply[];
  /** How many fit beside these. */
  more: number;
  chosen: number;
  /** What is typed behind the slash. */
  typed: string;
  isOpen: boolean;
  onKey: (event: KeyboardEvent, insert: (reply: Reply) => void) => boolean;
}

/** The canned replies that fit what is typed behind a slash. */
function useSuggestions(draft: string): SuggestionState {
  const typed = shortcutIn(draft);
  const [chosen, choose] = useState(0);
  const [closedFor, closeFor] = useState<string | null>(null);
  useEffect(() => choose(0), [typed]);
  const { shown: found, more } = typed === null ? { shown: [], more: 0 } : findReplies(typed);
  const isOpen = typed !== null && closedFor !== draft && (found.length > 0 || typed === '');
  const onKey = ({ key, shiftKey }: KeyboardEvent, insert: (reply: Reply) => void): boolean => {
    if (!isOpen) return false;
    const reply = found[chosen];
    if (key === 'Escape') closeFor(draft);
    else if (key === 'ArrowDown') choose((chosen + 1) % Math.max(1, found.length));
    else if (key === 'ArrowUp') choose((chosen - 1 + found.length) % Math.max(1, found.length));
    else if (reply && ((key === 'Enter' && !shiftKey) || key === 'Tab')) insert(reply);
    else return false;
    return true;
  };
  return { found, more, chosen, typed: typed ?? '', isOpen, onKey };
}

/** What is looked for: words behind a slash that begins the text, or the one behind a slash within it, up to its end. */
function shortcutIn(draft: string): string | null {
  const slash = draft.lastIndexOf('/');
  if (slash === -1 || (slash > 0 && draft[slash - 1]!.trim() !== '')) return null;
  const typed = draft.slice(slash + 1);
  const isFit = typed.length <= MOST_TYPED && (slash === 0 ? WORDS : WORD).test(typed);
  // As typed: `insert` removes it by its length, which lower case may change ("İ").
  return isFit ? typed : null;
}

function Suggestions({ found, more, chosen, onChoose }: SuggestionState & { onChoose: (reply: Reply) => void }) {
  const text = strings.value;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <div class="suggestions">
      <p class="hint small">{text.cannedReplies}</p>
      {found.length === 0 && <p class="hint">{text.noReplies}</p>}
      <ul id="replies" ref={list} role="listbox" aria-label={text.cannedReplies}>
        {found.map((reply, index) => (
          <li
            class="suggestion one-line"
            title={`/${reply.shortcut} ${reply.content}`}
            id={`reply-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(reply);
            }}
          >
            <b>/{reply.shortcut}</b> <bdi>{reply.content}</bdi>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="hint small">{plural(text.moreReplies, more)}</p>}
    </div>
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
