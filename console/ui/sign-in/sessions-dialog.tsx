import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import type { OwnSession } from '../../api/types.js';
import { ago, fullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/actions.js';
import { slowNow } from '../../state/clock.js';
import { notify } from '../../state/notices.js';
import { changePassword, endSession, listSessions, me } from '../../state/session.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { overlay } from '../screen.js';
import { useAttempt } from './use-attempt.js';

export function SessionsDialog() {
  const text = strings.value;
  const [sessions, setSessions] = useState<OwnSession[] | null>(null);
  const read = () => {
    listSessions().then(setSessions, (error: unknown) => notify(explain(error), 'trouble'));
  };
  useEffect(read, []);
  const end = (id: string) => {
    endSession(id).then(
      () => {
        notify(text.sessionEndedNow);
        read();
      },
      (error: unknown) => notify(explain(error), 'trouble'),
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
              <button type="button" class="button small" onClick={() => end(id)}>
                {text.endSession}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Password onDone={read} />
    </Dialog>
  );
}

function Password({ onDone }: { onDone: () => void }) {
  const text = strings.value;
  const current = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const { hasPassword, email } = me();
  const { failure, setFailure, isBusy, attempt } = useAttempt((error) =>
    error instanceof Refusal && error.code === 'wrong_password' ? strings.value.passwordWrong : explain(error),
  );
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = password.current!.value;
    if ([...chosen].length < 12) return setFailure(text.passwordTooShort);
    void attempt(async () => {
      await changePassword(chosen, hasPassword ? current.current!.value : undefined);
      (event.target as HTMLFormElement).reset();
      notify(text.passwordChanged);
      onDone();
    });
  };
  return (
    <form class="dialog-form" onSubmit={submit}>
      <h3>{hasPassword ? text.changePassword : text.choosePassword}</h3>
      <input type="email" value={email} autocomplete="username" hidden readOnly />
      {hasPassword && (
        <label>
          {text.currentPassword}
          <input ref={current} type="password" autocomplete="current-password" required maxLength={256} />
        </label>
      )}
      <label>
        {text.newPassword}
        <input ref={password} type="password" autocomplete="new-password" required maxLength={256} />
      </label>
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

const BROWSERS = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'];
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];
const NAMES: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };

/** "Firefox · Linux" from a user agent; the start of the user agent for other programs. */
function browserName(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const found = [BROWSERS, SYSTEMS].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? []);
  return found.length > 0 ? found.map((name) => NAMES[name] ?? name).join(' · ') : userAgent.slice(0, 60);
}
