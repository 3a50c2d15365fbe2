import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { Note } from '../../api/types.js';
import { splitMentions } from '../../lib/mentions.js';
import { fullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { explainNote } from '../../state/chat/note-problems.js';
import { openChat } from '../../state/chat/open-chat.js';
import { notify, notifyWith } from '../../state/notices.js';
import { me } from '../../state/session.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { Linked } from '../parts/rich.js';
import { hideOverlay, overlay } from '../screen.js';

/** The longest note, in characters. */
const MAX_LENGTH = 5_000;

/** The note that is being edited. */
const edited = signal<Note | null>(null);

/** A note's text, with the actions of its author. */
export function NoteBody({ note }: { note: Note }) {
  const text = strings.value;
  const { content, author, editedAt } = note;
  return (
    <>
      <p class="words" dir="auto">
        {splitMentions(content, note.mentions).map(({ text: piece, isMention }) =>
          isMention ? <b>{piece}</b> : <Linked text={piece} />,
        )}
      </p>
      <p class="note-actions small">
        {editedAt && <span title={fullTime(editedAt)}>{text.noteEdited}</span>}
        {author.id === me().id && (
          <>
            <button type="button" class="button link" onClick={() => startEditing(note)}>
              {text.editNote}
            </button>
            <button type="button" class="button link" onClick={() => void deleteNote(openChat.value!, note)}>
              {text.deleteNote}
            </button>
          </>
        )}
      </p>
    </>
  );
}

function startEditing(note: Note): void {
  edited.value = note;
  overlay.value = 'note';
}

/** Deletes a note, and offers Undo, which adds it again. */
async function deleteNote(chat: OpenChat, { id, content }: Note): Promise<void> {
  const text = strings.value;
  const addAgain = () => chat.addNote(content).catch((error: unknown) => notify(explainNote(error), 'trouble'));
  try {
    await chat.deleteNote(id);
    notifyWith(text.noteDeleted, { name: text.undo, run: addAgain }, { key: id });
  } catch (error) {
    notify(explainNote(error), 'trouble');
  }
}

/** Edits a note. What is typed while it's being saved stays, to be saved next. */
export function NoteDialog({ chat }: { chat: OpenChat }) {
  const text = strings.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const { value: note } = edited;
  if (!note) return null;
  const save = async (event: Event) => {
    event.preventDefault();
    const content = field.current!.value.trim();
    if (isBusy || content === '') return;
    setBusy(true);
    setFailure('');
    try {
      await chat.editNote(note.id, content);
      if (field.current?.value.trim() === content) hideOverlay();
    } catch (error) {
      setFailure(explainNote(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.editNoteTitle} onClose={hideOverlay}>
      <form class="dialog-form" onSubmit={(event) => void save(event)}>
        <textarea
          ref={field}
          rows={6}
          maxLength={MAX_LENGTH}
          dir="auto"
          aria-label={text.note}
          defaultValue={note.content}
          required
          autofocus
        />
        <p class="failure" role="alert">
          {failure}
        </p>
        <DialogButtons isDisabled={isBusy}>{text.saveNote}</DialogButtons>
      </form>
    </Dialog>
  );
}
