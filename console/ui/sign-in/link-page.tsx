import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/request.js';
import type { LinkAgent } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { go } from '../../state/route.js';
import { readLink, redeemLink } from '../../state/session.js';
import { Avatar } from '../parts/avatar.js';
import { Name } from '../parts/rich.js';
import { signInFailure } from './sign-in-failure.js';
import { Welcome } from './welcome.js';
import { useAttempt } from './use-attempt.js';

/**
 * Signs in with a link. The token is in the hash, which browsers don't send to servers, and only a click uses it: programs that
 * open links ahead of people can't.
 */
export function Page() {
  const text = strings.value;
  const [token, setToken] = useState(() => location.hash.slice(1));
  const { agent, isUsed } = useLink(token);
  const { failure, setFailure, isBusy, attempt } = useAttempt((error) =>
    isRefused(error) ? strings.value.linkUsed : signInFailure(error),
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
      {agent && <Invited agent={agent} />}
      {!token && <p class="hint">{text.linkMissing}</p>}
      {token && !isUsed && (
        <PasswordForm email={agent?.email} isBusy={isBusy} onChoose={choose} onSkip={() => void enter()} />
      )}
      <p class="failure" role="alert" id="failure">
        {failure || (isUsed && text.linkUsed)}
      </p>
      <button type="button" class="button link" onClick={toSignIn}>
        {text.toSignIn}
      </button>
    </Welcome>
  );
}

const isRefused = (error: unknown) => error instanceof Refusal && error.status === 401;

/** Whom the link signs in, and whether it no longer does. Neither is known until the service has answered. */
function useLink(token: string): { agent?: LinkAgent; isUsed?: boolean } {
  const [link, setLink] = useState<{ agent?: LinkAgent; isUsed?: boolean }>({});
  useEffect(() => {
    let isLatest = true;
    setLink({});
    if (token) {
      readLink(token).then(
        (agent) => isLatest && setLink({ agent }),
        (error: unknown) => isLatest && setLink({ isUsed: isRefused(error) }),
      );
    }
    return () => void (isLatest = false);
  }, [token]);
  return link;
}

function Invited({ agent: { name, email, organization } }: { agent: LinkAgent }) {
  return (
    <p class="person">
      <Avatar id={email} name={name} />
      <span class="person-words">
        <Name class="person-name" name={name} />
        <Name class="hint small" name={email} />
        <Name class="hint small" name={organization.name} />
      </span>
    </p>
  );
}

interface PasswordFormProps {
  /** For password managers. */
  email?: string;
  isBusy: boolean;
  onChoose: (password: string) => void;
  onSkip: () => void;
}

/** Offers to set a password with the link. */
function PasswordForm({ email, isBusy, onChoose, onSkip }: PasswordFormProps) {
  const text = strings.value;
  const password = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    onChoose(password.current!.value);
  };
  return (
    <form onSubmit={submit}>
      <p class="hint">{text.linkHint}</p>
      <input type="email" value={email} autocomplete="username" hidden readOnly />
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
