import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Row } from '../../api/types.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { hasFiles } from '../../state/chat/draft-files.js';
import { type DraftKind, draftOf, setDraft } from '../../state/chat/drafts.js';
import { setLiveText, showsLiveText } from '../../state/chat/live-text.js';
import { macroOf, setMacro } from '../../state/chat/macros.js';
import { sendMessage } from '../../state/chat/outbox.js';
import { saveNote } from '../../state/chat/saving-notes.js';
import { isConnected } from '../../state/connection.js';
import { isMine } from '../../state/inbox/views.js';
import { notify } from '../../state/notices.js';
import { useFilesCode } from '../parts/files.js';
import { strings } from '../../locales/strings.js';
import { shortcutIn } from './suggestions.js';

/** The longest message and the longest note, in characters. */
export const LIMIT = 5_000;
/** From this length on, the count is shown. */
export const COUNT_FROM = LIMIT - 500;

interface DraftOptions {
  chat: OpenChat;
  row: Row;
  kind: DraftKind;
  field: RefObject<HTMLTextAreaElement | null>;
}

interface Draft {
  draft: string;
  /** In characters; exact where it is shown. */
  length: number;
  isSendable: boolean;
  write: (value: string) => void;
  send: () => void;
  switchLiveText: (isShown: boolean) => void;
}

/** What the agent writes in a chat, and sending it as a message or a note. */
export function useDraft({ chat, row, kind, field }: DraftOptions): Draft {
  const isNote = kind === 'note';
  const draft = draftOf(chat.id, kind);
  const [isSaving, setSaving] = useState(false);
  const length = draft.length > COUNT_FROM ? [...draft.trim()].length : draft.length;
  const withFiles = hasFiles(chat.id, kind);
  const code = useFilesCode(withFiles);
  const files = withFiles && code ? code.draftFilesOf(chat.id, kind) : null;
  const isWritten = draft.trim() !== '' || (withFiles && !isNote);
  const isReady = !withFiles || (files !== null && !files.due.value);
  const isSendable = isWritten && length <= LIMIT && !isSaving && isReady;
  useGrowth(field.current, draft, kind);
  const write = (value: string) => {
    setDraft(chat.id, kind, value);
    files?.hold();
    if (!isNote && value.trim() === '') setMacro(chat.id);
    if (!isNote && isMine(row)) chat.typing.set(value.trim() !== '', liveTextOf(value));
  };
  // Turning it off also hides the text that the visitor already sees.
  const switchLiveText = (isShown: boolean) => {
    setLiveText(isShown);
    if (draft.trim()) chat.typing.set(true, isShown ? liveTextOf(draft) : '');
  };
  const addNote = async () => {
    // The field keeps the note.
    if (!isConnected.value) return notify(strings.value.whyUnreachable, 'trouble');
    setSaving(true);
    await saveNote(chat, draft.trim());
    setSaving(false);
  };
  const send = () => {
    if (!isSendable) return;
    field.current?.focus();
    if (!isNote) chat.typing.stop();
    if (files) return files.submit(chat);
    if (isNote) return void addNote();
    sendMessage(chat.id, draft.trim(), macroOf(chat.id));
    setMacro(chat.id);
    setDraft(chat.id, kind, '');
  };
  return { draft, length, isSendable, write, send, switchLiveText };
}

/** The text that the visitor sees while it is written; undefined leaves it as it is, such as while the agent picks a canned reply. */
function liveTextOf(value: string): string | undefined {
  const isFit = showsLiveText.value && value.length <= LIMIT && shortcutIn(value) === null;
  return isFit ? value : undefined;
}

/** Makes the field as high as its text; the style sheet sets the limits. */
function useGrowth(field: HTMLTextAreaElement | null, draft: string, kind: DraftKind): void {
  useLayoutEffect(() => {
    if (!field) return;
    field.style.height = draft && 'auto';
    if (draft) field.style.height = `${field.scrollHeight}px`;
  }, [field, draft, kind]);
}
