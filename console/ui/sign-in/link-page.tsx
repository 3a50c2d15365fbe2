import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/request.js';
import { strings } from '../../locales/strings.js';
import { go } from '../../state/route.js';
import { redeemLink } from '../../state/session.js';
import { signInFailure } from './sign-in.js';
import { Welcome } from './welcome.js';
import { useAttempt } from './use-attempt.js';

/**
 * Signs in with a link. The token is in the hash, which browsers don't send to servers, and only a click uses it: programs that
 * open links ahead of people can't.
 */
export function LinkPage() {
  const text = strings.value;
  const [token, setToken] = useState(() => location.hash.slice(1));
  const { failure, setFailure, isBusy, attempt } = useAttempt((error) =>
    error instanceof Refusal && error.status === 401 ? strings.value.linkUsed : signInFailure(error),
  );
  useEffect(() => {
    const read = () => setToken(location.hash.slice(1));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const enter = (chosen?: string) =>
    attempt(async () => {
      await redeemLink(token, chosen);
      go({ page: 'inbox', place: { view: 'MINE' } }, true);
    });
  const choose = (password: string) => {
    if ([...password].length < 12) setFailure(text.passwordTooShort);
    else void enter(password);
  };
  const toSignIn = () => go({ page: 'inbox', place: { view: 'MINE' } });
  return (
    <Welcome title={text.linkTitle}>
      {token ? (
        <PasswordForm isBusy={isBusy} onChoose={choose} onSkip={() => void enter()} />
      ) : (
        <p class="hint">{text.linkMissing}</p>
      )}
      <p class="failure" role="alert" id="failure">
        {failure}
      </p>
      <button type="button" class="button link" onClick={toSignIn}>
        {text.toSignIn}
      </button>
    </Welcome>
  );
}

interface PasswordFormProps {
  isBusy: boolean;
  onChoose: (password: string) => void;
  onSkip: () => void;
}

/** Offers to set a password with the link. */
function PasswordForm({ isBusy, onChoose, onSkip }: PasswordFormProps) {
  const text = strings.value;
  const password = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    onChoose(password.current!.value);
  };
  return (
    <form onSubmit={submit}>
      <p class="hint">{text.linkHint}</p>
      <label for="new-password">{text.newPassword}</label>
      <input
        ref={password}
        id="new-password"
        type="password"
        autocomplete="new-password"
        maxLength={256}
        aria-describedby="rule failure"
        autofocus
      />
      <p class="hint small" id="rule">
        {text.passwordRule}
      </p>
      <button type="submit" class="button primary" disabled={isBusy}>
        {text.setPassword}
      </button>
      <button type="button" class="button" disabled={isBusy} onClick={onSkip}>
        {text.skipPassword}
      </button>
    </form>
  );
}
