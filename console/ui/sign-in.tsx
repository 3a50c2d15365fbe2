import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { Refusal } from '../api/request.js';
import type { Named } from '../api/types.js';
import { waitTime } from '../lib/times.js';
import { type Language, language, LANGUAGES, strings } from '../locales/strings.js';
import { explain } from '../state/actions.js';
import { switchLanguage } from '../state/language.js';
import { go } from '../state/route.js';
import { endReason, redeemLink, signIn } from '../state/session.js';
import brandIcon from '../favicon.svg';
import { Icon } from './icon.js';

/** A short page before the inbox: its card, and the choice of the language. */
function Welcome({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="welcome">
      <div class="card">
        <p class="brand">
          <img src={brandIcon} alt="" width="28" height="28" />
          {strings.value.console}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
      <LanguageChoice />
    </main>
  );
}

/** The languages, each by its own name. */
function LanguageChoice() {
  return (
    <p class="languages" role="group" aria-label={strings.value.language}>
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <button
          type="button"
          class="button link"
          lang={code}
          aria-pressed={language.value === code}
          onClick={() => switchLanguage(code as Language)}
        >
          {name}
        </button>
      ))}
    </p>
  );
}

/** Signs in by e-mail and password. */
export function SignIn() {
  const text = strings.value;
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [organizations, setOrganizations] = useState<Named[]>([]);
  const { failure, isBusy, attempt } = useAttempt(signInFailure);
  const enter = (organizationId?: string) =>
    attempt(async () => {
      try {
        await signIn(email.current!.value.trim(), password.current!.value, organizationId);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'organization_required') throw error;
        setOrganizations(error.members.organizations ?? []);
      }
    });
  const submit = (event: Event) => {
    event.preventDefault();
    void enter();
  };
  const isChoosing = organizations.length > 0;
  return (
    <Welcome title={isChoosing ? text.chooseOrganization : text.signIn}>
      {endReason.value && !isChoosing && (
        <p class="hint news" role="status">
          {text.ended[endReason.value]}
        </p>
      )}
      {isChoosing && <p class="hint">{text.chooseOrganizationHint}</p>}
      <form onSubmit={submit} hidden={isChoosing}>
        <label for="email">{text.email}</label>
        <input ref={email} id="email" type="email" autocomplete="username" required maxLength={320} autofocus />
        <label for="password">{text.password}</label>
        <input ref={password} id="password" type="password" autocomplete="current-password" required maxLength={256} />
        <button type="submit" class="button primary" disabled={isBusy}>
          {isBusy ? text.signingIn : text.signIn}
        </button>
      </form>
      {isChoosing && (
        <div class="choices">
          {organizations.map(({ id, name }) => (
            <button type="button" class="button" disabled={isBusy} onClick={() => void enter(id)}>
              <bdi>{name}</bdi>
            </button>
          ))}
          <button type="button" class="button link" onClick={() => setOrganizations([])}>
            {text.otherAccount}
          </button>
        </div>
      )}
      <p class="failure" role="alert">
        {failure}
      </p>
      {!isChoosing && <p class="hint">{text.noPassword}</p>}
    </Welcome>
  );
}

/**
 * Signs in by a link. Its token stands in the hash, which browsers send to no server, and is used up by a click alone: what
 * looks at links before people do cannot use it.
 */
export function LinkPage() {
  const text = strings.value;
  const password = useRef<HTMLInputElement>(null);
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
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = password.current!.value;
    if ([...chosen].length < 12) setFailure(text.passwordTooShort);
    else void enter(chosen);
  };
  const toSignIn = () => go({ page: 'inbox', place: { view: 'MINE' } });
  return (
    <Welcome title={text.linkTitle}>
      {token ? (
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
          <button type="button" class="button" disabled={isBusy} onClick={() => void enter()}>
            {text.skipPassword}
          </button>
        </form>
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

/** Shown until it is known who is signed in. */
export function Splash({ failure, onRetry }: { failure: boolean; onRetry: () => void }) {
  const text = strings.value;
  return (
    <main class="welcome" aria-busy={!failure}>
      {failure ? (
        <div class="card" role="alert">
          <p>
            <Icon name="offline" /> {text.serviceAway}
          </p>
          <button type="button" class="button primary" onClick={onRetry}>
            {text.tryAgain}
          </button>
        </div>
      ) : (
        <p class="hint">{text.loading}</p>
      )}
    </main>
  );
}

/** One attempt at a time, and what to say when it failed. */
export function useAttempt(toText: (error: unknown) => string) {
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setFailure('');
    try {
      await work();
    } catch (error) {
      setFailure(toText(error));
    } finally {
      setBusy(false);
    }
  };
  return { failure, setFailure, isBusy, attempt };
}

function signInFailure(error: unknown): string {
  const text = strings.value;
  if (!(error instanceof Refusal)) return text.serviceAway;
  if (error.status === 401) return text.wrongPassword;
  if (error.status === 429) return fill(text.throttled, { time: waitTime(error.retryAfter ?? 60) });
  if (error.code === 'validation_failed') return error.members.errors?.[0]?.detail ?? text.passwordTooShort;
  return explain(error);
}
