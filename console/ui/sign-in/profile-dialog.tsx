import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/request.js';
import { fitPicture } from '../../lib/fit-picture.js';
import { changedFields } from '../../lib/merge.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { setUndoSend, undoesSend } from '../../state/chat/undo-send.js';
import { notify } from '../../state/notices.js';
import { me, updateProfile } from '../../state/session.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { PictureInput } from '../parts/picture-input.js';
import { hideOverlay } from '../screen.js';
import { useAttempt } from './use-attempt.js';

/** The agent's own name and picture, as visitors see them. */
export function ProfileDialog() {
  const text = strings.value;
  const name = useRef<HTMLInputElement>(null);
  const undo = useRef<HTMLInputElement>(null);
  const mails = useRef<HTMLInputElement>(null);
  const [saved, setSaved] = useState(me);
  const picture = useRef(saved.avatarUrl);
  const { failure, isBusy, attempt } = useAttempt(explainProfile);
  const submit = (event: Event) => {
    event.preventDefault();
    const values = () => ({
      name: name.current?.value.trim(),
      avatarUrl: picture.current,
      mailWhenAway: mails.current?.checked ?? null,
    });
    void attempt(async () => {
      const sent = values();
      // Only what changed: an administrator may have changed the rest since.
      const { name: before, avatarUrl, mailWhenAway } = saved;
      const changed = changedFields({ name: before, avatarUrl, mailWhenAway }, sent);
      if (Object.keys(changed).length > 0) await updateProfile(changed);
      setSaved({ ...saved, ...changed });
      setUndoSend(undo.current?.checked ?? undoesSend.value);
      notify(text.profileSaved);
      // What was typed while it was being saved stays, to be saved next.
      if (JSON.stringify(values()) === JSON.stringify(sent)) hideOverlay();
    });
  };
  return (
    <Dialog title={text.profile} onClose={hideOverlay}>
      <form class="dialog-form" noValidate onSubmit={submit}>
        <p class="hint">{text.profileHint}</p>
        <label>
          {text.yourName}
          <input
            ref={name}
            defaultValue={saved.name}
            required
            maxLength={200}
            autocomplete="name"
            dir="auto"
            autofocus
          />
        </label>
        <PictureField chosen={picture} />
        <UndoSend field={undo} />
        {saved.mailWhenAway !== null && <MailWhenAway field={mails} isChecked={saved.mailWhenAway} />}
        <p class="failure" role="alert">
          {failure}
        </p>
        <DialogButtons isDisabled={isBusy}>{text.saveProfile}</DialogButtons>
      </form>
    </Dialog>
  );
}

type FieldRef = RefObject<HTMLInputElement | null>;

function PictureField({ chosen }: { chosen: { current: string | null } }) {
  const words = dialogStrings.value;
  const [address, setAddress] = useState(chosen.current);
  const [fault, setFault] = useState('');
  const choose = (url: string | null, isRead = true) => {
    if (isRead) setAddress((chosen.current = url));
    setFault(isRead ? '' : words.pictureRule);
  };
  return (
    <PictureInput
      {...{ address, fault, words }}
      label={words.yourPicture}
      hint={words.yourPictureHint}
      onChoose={(file) => void fitPicture(file).then(choose, () => choose(null, false))}
      onClear={() => choose(null)}
    />
  );
}

/** Whether the agent gets e-mails while the console isn't open. */
function MailWhenAway({ field, isChecked }: { field: FieldRef; isChecked: boolean }) {
  const text = dialogStrings.value;
  return (
    <label class="choice-line">
      <input ref={field} type="checkbox" defaultChecked={isChecked} />
      <span>
        {text.mailWhenAway}
        <span class="hint small">{text.mailWhenAwayHint}</span>
      </span>
    </label>
  );
}

/** Whether this browser's messages can be taken back. */
function UndoSend({ field }: { field: FieldRef }) {
  const text = strings.value;
  return (
    <label class="choice-line">
      <input ref={field} type="checkbox" defaultChecked={undoesSend.value} />
      <span>
        {text.undoSend}
        <span class="hint small">{text.undoSendHint}</span>
      </span>
    </label>
  );
}

function explainProfile(error: unknown): string {
  const { profileRefused } = strings.value;
  const [fault] = error instanceof Refusal ? (error.members.errors ?? []) : [];
  if (fault?.pointer === '/avatarUrl') return dialogStrings.value.pictureRule;
  return fault?.pointer === '/name' ? profileRefused.name : explain(error);
}
