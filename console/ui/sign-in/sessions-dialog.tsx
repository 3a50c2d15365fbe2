import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import type { OwnSession } from '../../api/types.js';
import { ago, fullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { slowNow } from '../../state/clock.js';
import { notify } from '../../state/notices.js';
import { changePassword, endSession, listSessions, me } from '../../state/session.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { type CheckedField, useFaults } from '../parts/use-faults.js';
import { useSteadyAction } from '../parts/use-steady-action.js';
import { overlay } from '../screen.js';
import { useAttempt } from './use-attempt.js';

export function SessionsDialog() {
  const text = strings.value;
  const [sessions, setSessions] = useState<OwnSession[] | null>(null);
  const { isBusy, act } = useSteadyAction();
  const onFailure = (error: unknown) => notify(explain(error), 'trouble');
  const read = () => listSessions().then(setSessions, onFailure);
  useEffect(() => void read(), []);
  const end = (id: string) => {
    void act(() =>
      endSession(id).then(() => {
        notify(text.sessionEndedNow);
        return read();
      }, onFailure),
    );
  };
  return (
    <Dialog title={text.sessionsTitle} onClose={() => (overlay.value = null)}>
      {sessions === null && <p class="hint">{text.loading}</p>}
      <ul class="sessions">
        {sessions?.map(({ id, userAgent, lastUsedAt, createdAt, isCurrent }) => (
          <li key={id}>
            <Icon name="screen" />
            <span>
              <bdi class="person-name">{browserName(userAgent) ?? text.unknownBrowser}</bdi>
              <span class="hint small" title={fullTime(createdAt)}>
                {isCurrent ? text.thisSession : fill(text.lastUsed, { time: ago(lastUsedAt, slowNow.value) })}
              </span>
            </span>
            {!isCurrent && (
              <button type="button" class="button small" aria-disabled={isBusy} onClick={() => end(id)}>
                {text.endSession}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Password onDone={() => void read()} />
    </Dialog>
  );
}

function Password({ onDone }: { onDone: () => void }) {
  const text = strings.value;
  const current = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const { hasPassword, email } = me();
  const { failure, isBusy, attempt } = useAttempt((error) =>
    error instanceof Refusal && error.code === 'wrong_password' ? strings.value.passwordWrong : explain(error),
  );
  const { check, of } = useFaults();
  const submit = (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!check(form)) return;
    const chosen = password.current!.value;
    void attempt(async () => {
      await changePassword(chosen, hasPassword ? current.current!.value : undefined);
      form.reset();
      notify(text.passwordChanged);
      onDone();
    });
  };
  return (
    <form class="dialog-form" noValidate onSubmit={submit}>
      <h3>{hasPassword ? text.changePassword : text.choosePassword}</h3>
      <input type="email" value={email} autocomplete="username" hidden readOnly />
      {hasPassword && (
        <PasswordField
          label={text.currentPassword}
          field={of('current', text.passwordMissing)}
          value={current}
          autocomplete="current-password"
        />
      )}
      <PasswordField
        label={text.newPassword}
        field={of('password', text.passwordTooShort)}
        value={password}
        autocomplete="new-password"
        minLength={12}
      />
      <p class="hint small">{text.passwordRule}</p>
      <p class="failure" role="alert">
        {failure}
      </p>
      <footer>
        <button type="submit" class="button primary" disabled={isBusy}>
          {hasPassword ? text.changePassword : text.choosePassword}
        </button>
      </footer>
    </form>
  );
}

interface PasswordFieldProps {
  label: string;
  field: CheckedField;
  value: RefObject<HTMLInputElement | null>;
  autocomplete: 'current-password' | 'new-password';
  minLength?: number;
}

function PasswordField({ label, field: { attributes, fault }, value, ...input }: PasswordFieldProps) {
  return (
    <>
      <label>
        {label}
        <input ref={value} type="password" required maxLength={256} {...input} {...attributes} />
      </label>
      {fault}
    </>
  );
}

const BROWSERS = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'];
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];
const NAMES: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };

/** "Firefox · Linux" from a user agent; the start of the user agent for other programs. */
function browserName(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const found = [BROWSERS, SYSTEMS].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? []);
  return found.length > 0 ? found.map((name) => NAMES[name] ?? name).join(' · ') : userAgent.slice(0, 60);
}
