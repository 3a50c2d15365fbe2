import { signal } from '@preact/signals';
import type { Note } from '../../api/types.js';
import { splitMentions } from '../../lib/mentions.js';
import { fullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { loadFilesCode } from '../../state/chat/draft-files.js';
import { storeNote } from '../../state/chat/saving-notes.js';
import { explainNote } from '../../state/chat/note-problems.js';
import { openChat } from '../../state/chat/open-chat.js';
import { notify, notifyWith } from '../../state/notices.js';
import { me } from '../../state/session.js';
import { untouchedSince } from '../../state/steady.js';
import { Files } from '../parts/files.js';
import { Linked } from '../parts/rich.js';
import { askBeforeDeleting } from '../conversation/message-actions.js';
import { overlay } from '../screen.js';

/** The note that is being edited. */
export const edited = signal<Note | null>(null);

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
      <Files files={note.files} />
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

/** Deletes a note, and offers Undo, which adds it again. Files can't be added again, so with files it asks first. */
async function deleteNote(chat: OpenChat, { id, content, files }: Note): Promise<void> {
  const text = strings.value;
  try {
    if (files) {
      const isUntouched = untouchedSince();
      const { deleteTitle: title, deleteHint: hint } = (await loadFilesCode()).fileWords.value;
      if (!isUntouched()) return;
      return askBeforeDeleting({ title, hint, name: text.deleteNote, run: () => chat.deleteNote(id) });
    }
    await chat.deleteNote(id);
    notifyWith(text.noteDeleted, { name: text.undo, run: () => void storeNote(chat, content) }, { key: id });
  } catch (error) {
    notify(explainNote(error), 'trouble');
  }
}
