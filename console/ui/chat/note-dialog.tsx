import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { strings } from '../../locales/strings.js';
import { explainNote } from '../../state/chat/note-problems.js';
import { openChat } from '../../state/chat/open-chat.js';
import { AttachButton } from '../composer/attach-button.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { useFilesCode } from '../parts/files.js';
import { useFaults } from '../parts/use-faults.js';
import { hideOverlay } from '../screen.js';
import { edited } from './note.js';

/** The longest note, in characters. */
const MAX_LENGTH = 5_000;

/** Edits a note. What is typed while it's being saved stays, to be saved next. */
export function NoteDialog() {
  const text = strings.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const { check, of } = useFaults();
  const { value: note } = edited;
  const { value: chat } = openChat;
  const code = useFilesCode(true);
  const files = useMemo(() => (code && note && chat ? code.editedFilesOf(chat.id, note) : null), [code, note, chat]);
  // What was chosen and isn't saved is removed.
  useEffect(() => () => files?.close(), [files]);
  if (!note || !chat) return null;
  const words = of('content', text.noteEmpty);
  const save = async (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const content = field.current!.value.trim();
    if (isBusy || !check(event.currentTarget)) return;
    if (code && files?.isUnready) return setFailure(code.fileWords.value.notReady);
    const chosen = files?.uploaded;
    setBusy(true);
    setFailure('');
    try {
      await chat.editNote(note.id, content, chosen);
      files?.onSaved(chosen);
      if (field.current?.value.trim() === content) hideOverlay();
    } catch (error) {
      setFailure(explainNote(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.editNoteTitle} onClose={hideOverlay}>
      <form class="dialog-form" noValidate onSubmit={(event) => void save(event)}>
        <textarea
          ref={field}
          rows={6}
          maxLength={MAX_LENGTH}
          dir="auto"
          aria-label={text.note}
          defaultValue={note.content}
          required
          autofocus
          {...words.attributes}
        />
        {words.fault}
        {code && files && <code.ChosenList files={files} />}
        <AttachButton onFiles={(given) => files?.add(given)} />
        <p class="failure" role="alert">
          {failure}
        </p>
        <DialogButtons isDisabled={isBusy}>{text.saveNote}</DialogButtons>
      </form>
    </Dialog>
  );
}
