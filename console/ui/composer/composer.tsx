import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Colleague, Reply, Row } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { withValues } from '../../lib/variables.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { filesCode, giveFiles, hasFiles } from '../../state/chat/draft-files.js';
import { type DraftKind, draftOf } from '../../state/chat/drafts.js';
import { AttachButton } from './attach-button.js';
import { showsLiveText } from '../../state/chat/live-text.js';
import { macroOf, setMacro } from '../../state/chat/macros.js';
import { readReplies } from '../../state/chat/replies.js';
import { me, session } from '../../state/session.js';
import { isMine } from '../../state/inbox/views.js';
import { Icon } from '../parts/icon.js';
import { Name } from '../parts/rich.js';
import { focusComposer } from '../screen.js';
import { MentionSuggestions, useMentions } from './mention-suggestions.js';
import { actionWords, type SuggestionState, Suggestions, useSuggestions } from './suggestions.js';
import { COUNT_FROM, LIMIT, useDraft } from './use-draft.js';
import { kindOf, setKind } from './composer-kind.js';

/** The field for messages in the agent's own chats, and for notes in every visible chat. */
export function Composer({ chat, row }: { chat: OpenChat; row: Row }) {
  const mayWrite = isMine(row) || row.owner === 'NOBODY';
  const kind: DraftKind = mayWrite ? kindOf(chat.id) : 'note';
  // If only notes are possible, the field is hidden until the agent wants it.
  const isWanted =
    mayWrite || kindOf(chat.id) === 'note' || draftOf(chat.id, 'note') !== '' || hasFiles(chat.id, 'note');
  // The key: a field never changes its kind. Words of a note that is being typed would reach the visitor.
  return isWanted ? <Field key={kind} chat={chat} row={row} kind={kind} mayWrite={mayWrite} /> : null;
}

interface FieldProps {
  chat: OpenChat;
  row: Row;
  kind: DraftKind;
  /** Whether the agent may write messages, and not only notes. */
  mayWrite: boolean;
}

/** The values of a canned reply's variables in a chat. */
function valuesOf({ visitor, group }: Row) {
  return {
    'visitor.name': visitor.name,
    'visitor.email': visitor.email,
    'agent.name': me().name,
    'group.name': group.name,
    'organization.name': session.value?.organization.name,
  };
}

interface Sending extends Pick<FieldProps, 'chat' | 'row'>, Pick<ReturnType<typeof useDraft>, 'isSendable' | 'send'> {
  isNote: boolean;
  suggestions: SuggestionState;
  /** Inserts what is chosen in an open list. Returns whether the key did something. */
  onListKey: (key: Pick<KeyboardEvent, 'key' | 'shiftKey'>) => boolean;
}

const ENTER = { key: 'Enter', shiftKey: false };

/** The ways to send: with the button, with a key, and with the keys that also end the chat. All of them choose a suggestion instead, if there is one. */
function useSending({ chat, row, isNote, isSendable, send, suggestions, onListKey }: Sending) {
  const sendByKey = () => {
    if (!onListKey(ENTER) && suggestions.maySend()) send();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    sendByKey();
  };
  const sendAndEnd = (event: KeyboardEvent) => {
    event.preventDefault();
    if (isNote || !isMine(row) || !isSendable || event.repeat || onListKey(ENTER) || !suggestions.maySend()) return;
    setMacro(chat.id, { action: 'CLOSE', actionGroupId: null });
    send();
  };
  return { sendByKey, submit, sendAndEnd };
}

function Field({ chat, row, kind, mayWrite }: FieldProps) {
  const text = strings.value;
  const isNote = kind === 'note';
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, length, isSendable, write, send, switchLiveText } = useDraft({ chat, row, kind, field });
  const { before, setCaret, replace } = useCaret(draft, write, field);
  const suggestions = useSuggestions(isNote ? '' : before);
  const mentions = useMentions(isNote ? before : '', row);
  const mention = ({ name }: Colleague) => replace(mentions.typed.length, `${name} `);
  const insert = ({ content, action, actionGroupId }: Reply) => {
    replace(suggestions.typed.length + 1, withValues(content, valuesOf(row)));
    setMacro(chat.id, { action, actionGroupId });
  };
  const attach = (files: readonly File[]) => attachTo(chat.id, kind, files);
  const onListKey: Sending['onListKey'] = (key) => suggestions.onKey(key, insert) || mentions.onKey(key, mention);
  const { sendByKey, submit, sendAndEnd } = useSending({ chat, row, isNote, isSendable, send, suggestions, onListKey });
  return (
    <form class={`composer ${isNote ? 'is-note' : ''}`} onSubmit={submit}>
      {suggestions.isOpen && (
        <Suggestions {...suggestions} preview={({ content }) => withValues(content, valuesOf(row))} onChoose={insert} />
      )}
      {mentions.isOpen && <MentionSuggestions {...mentions} onChoose={mention} />}
      <ComposerHead row={row} kind={kind} mayWrite={mayWrite} onSwitch={switchLiveText} />
      <LoadedParts chatId={chat.id} kind={kind} field={field} draft={draft} />
      <div class="composer-line">
        <AttachButton onFiles={attach} />
        <textarea
          ref={field}
          rows={1}
          dir={draft ? 'auto' : undefined}
          value={draft}
          placeholder={isNote ? text.writeNote : text.writeMessage}
          aria-label={isNote ? text.noteFor : fill(text.messageTo, { name: visitorName(row) })}
          aria-invalid={length > LIMIT}
          aria-autocomplete="list"
          {...(suggestions.isOpen && listed('replies', `reply-${suggestions.chosen}`))}
          {...(mentions.isOpen && listed('mentions', `mention-${mentions.chosen}`))}
          enterkeyhint="send"
          onInput={(event) => {
            setCaret(event.currentTarget);
            write(event.currentTarget.value);
          }}
          onSelect={(event) => setCaret(event.currentTarget)}
          onKeyDown={(event) => (isSendAndEnd(event) ? sendAndEnd(event) : onKeyDown(event, onListKey, sendByKey))}
          onPaste={(event) => onPaste(event, attach)}
          onFocus={() => onFocus(chat.id, kind)}
          onBlur={() => !isNote && chat.typing.set(false)}
        />
        <SendButton isNote={isNote} isSendable={isSendable} />
      </div>
      <ShortcutFault {...suggestions} />
      {!isNote && <MacroLine chatId={chat.id} />}
      <Count length={length} />
    </form>
  );
}

interface PartsProps {
  chatId: string;
  kind: DraftKind;
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
}

/** What isn't part of the first load: emoji, formats, and the files of the draft, once there are any. */
function LoadedParts({ chatId, kind, field, draft }: PartsProps) {
  const code = filesCode.value;
  return code ? (
    <>
      <code.Writing field={field} draft={draft} isNote={kind === 'note'} />
      {hasFiles(chatId, kind) && <code.DraftFilesView chatId={chatId} kind={kind} />}
    </>
  ) : null;
}

function attachTo(chatId: string, kind: DraftKind, files: readonly File[]): void {
  void giveFiles(chatId, kind, files);
  focusComposer();
}

function onPaste(event: ClipboardEvent, attach: (files: readonly File[]) => void): void {
  const { clipboardData: data } = event;
  // Office programs copy a picture beside the text.
  if (!data?.types.includes('Files') || data.types.includes('text/plain')) return;
  event.preventDefault();
  attach([...data.files]);
}

function onFocus(chatId: string, kind: DraftKind): void {
  // What starts as a note stays a note, even if the chat changes hands.
  setKind(chatId, kind);
  void readReplies();
}

/** The draft before the caret, where replies and people are searched, and where they are inserted. */
function useCaret(draft: string, write: (value: string) => void, field: RefObject<HTMLTextAreaElement | null>) {
  const [typed, setTyped] = useState({ text: draft, caret: draft.length });
  // In a text that wasn't typed here, as a quote or a draft of another tab, the caret is at the end.
  const at = typed.text === draft ? typed.caret : draft.length;
  const setCaret = ({ value: text, selectionStart: caret }: HTMLTextAreaElement) => setTyped({ text, caret });
  const moved = useRef<number | null>(null);
  // Where the caret is until the field gets another text.
  const before = field.current?.selectionStart ?? 0;
  useLayoutEffect(() => {
    if (moved.current !== null) field.current?.setSelectionRange(moved.current, moved.current);
    moved.current = null;
    // What comes back in front of the words leaves the caret where it was.
    const caret = before + draft.length - typed.text.length;
    if (typed.text === draft || !draft.endsWith(typed.text) || document.activeElement !== field.current) return;
    setTyped({ text: draft, caret });
    field.current?.setSelectionRange(caret, caret);
  }, [draft]);
  /** Replaces what is typed before the caret. @param length of what is replaced */
  const replace = (length: number, words: string) => {
    const start = draft.slice(0, at - length) + words;
    const text = start + draft.slice(at);
    moved.current = start.length;
    setTyped({ text, caret: start.length });
    write(text);
    field.current?.focus();
  };
  return { before: draft.slice(0, at), setCaret, replace };
}

/** Why Enter inserted no reply. */
function ShortcutFault({ fault, typed: shortcut }: Pick<SuggestionState, 'fault' | 'typed'>) {
  const { repliesLoading, noSuchReply } = strings.value;
  if (!fault) return null;
  return (
    <p class="hint small" role="status">
      {fault === 'loading' ? repliesLoading : fill(noSuchReply, { shortcut })}
    </p>
  );
}

/** The length of a long draft. */
function Count({ length }: { length: number }) {
  if (length <= COUNT_FROM) return null;
  return (
    <p class={`hint small ${length > LIMIT ? 'failure' : ''}`} role="status">
      {fill(strings.value.tooLong, { count: length, limit: LIMIT })}
    </p>
  );
}

/** Says what sending does beside, after a reply with an action was inserted. */
function MacroLine({ chatId }: { chatId: string }) {
  const text = strings.value;
  const macro = macroOf(chatId);
  if (!macro) return null;
  return (
    <p class="macro small" role="status">
      <Icon name={macro.action === 'CLOSE' ? 'done' : 'transfer'} />
      <Name name={actionWords(macro)} />
      <button
        type="button"
        class="button quiet round"
        aria-label={text.withoutAction}
        title={text.withoutAction}
        onClick={() => setMacro(chatId)}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

const isSendAndEnd = ({ key, shiftKey, ctrlKey, metaKey, isComposing }: KeyboardEvent) =>
  key === 'Enter' && shiftKey && (ctrlKey || metaKey) && !isComposing;

/** The list that belongs to the field, and its chosen item. */
const listed = (id: string, chosen: string) => ({ 'aria-controls': id, 'aria-activedescendant': chosen });

function onKeyDown(
  event: preact.TargetedKeyboardEvent<HTMLTextAreaElement>,
  onListKey: Sending['onListKey'],
  send: () => void,
): void {
  // The Enter that ends the composition of a word sends nothing. Safari signals that by key code 229.
  if (event.isComposing || event.keyCode === 229) return;
  // A held Enter would insert a reply, and send it unread.
  if (event.repeat && event.key === 'Enter' && !event.shiftKey) return event.preventDefault();
  if (onListKey(event)) return event.preventDefault();
  if (event.key === 'Escape') {
    event.stopPropagation();
    return event.currentTarget.blur();
  }
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  send();
}

interface ComposerHeadProps {
  row: Row;
  kind: DraftKind;
  mayWrite: boolean;
  onSwitch: (isShown: boolean) => void;
}

/** Chooses between message and note, and says what sending does. */
function ComposerHead({ row, kind, mayWrite, onSwitch }: ComposerHeadProps) {
  const text = strings.value;
  const isNote = kind === 'note';
  return (
    <div class="composer-head">
      {mayWrite && (
        <div class="tabs" role="group" aria-label={text.actions}>
          <Tab chatId={row.id} kind="message" current={kind} label={text.toMessage} />
          <Tab chatId={row.id} kind="note" current={kind} label={text.toNote} />
        </div>
      )}
      {!isNote && isMine(row) && <LiveTextSwitch onSwitch={onSwitch} />}
      {isNote ? (
        <p class="only">
          <Icon name="note" />
          {text.noteHint}
        </p>
      ) : (
        row.owner === 'NOBODY' && <p class="hint small">{text.reopens}</p>
      )}
    </div>
  );
}

function SendButton({ isNote, isSendable }: { isNote: boolean; isSendable: boolean }) {
  const text = strings.value;
  const words = isNote ? text.addNote : text.send;
  return (
    <button type="submit" class="button primary send" aria-label={words} disabled={!isSendable}>
      <Icon name={isNote ? 'note' : 'send'} />
      <span>{words}</span>
    </button>
  );
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

function Tab({ chatId, kind, current, label }: { chatId: string; kind: DraftKind; current: DraftKind; label: string }) {
  const choose = () => {
    setKind(chatId, kind);
    focusComposer();
  };
  return (
    <button type="button" class={`tab ${kind}-tab`} aria-pressed={kind === current} onClick={choose}>
      {label}
    </button>
  );
}
