import { useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import type { Named } from '../../api/types.js';
import { waitTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/actions.js';
import { endReason, signIn } from '../../state/session.js';
import { Welcome } from './welcome.js';
import { useAttempt } from './use-attempt.js';

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

export function signInFailure(error: unknown): string {
  const text = strings.value;
  if (!(error instanceof Refusal)) return text.serviceAway;
  if (error.status === 401) return text.wrongPassword;
  if (error.status === 429) return fill(text.throttled, { time: waitTime(error.retryAfter ?? 60) });
  if (error.code === 'validation_failed') return error.members.errors?.[0]?.detail ?? text.passwordTooShort;
  return explain(error);
}
