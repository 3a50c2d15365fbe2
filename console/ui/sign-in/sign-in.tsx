import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import type { Named } from '../../api/types.js';
import { waitTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { endReason, isLocked, session, signIn } from '../../state/session.js';
import { useFaults } from '../parts/use-faults.js';
import { Welcome } from './welcome.js';
import { useAttempt } from './use-attempt.js';

export function Page() {
  return isLocked.value ? <Over /> : <SignIn />;
}

/** Signing in over a page whose session has ended. Its own dialogs are modal, so this one has to be. */
function Over() {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current!;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="welcome-dialog"
      aria-label={strings.value.signIn}
      onCancel={(event) => event.preventDefault()}
      onClose={() => element.current?.isConnected && element.current.showModal()}
    >
      <SignIn />
    </dialog>
  );
}

function SignIn() {
  const text = strings.value;
  const locked = session.value;
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [organizations, setOrganizations] = useState<Named[]>([]);
  const { failure, isBusy, attempt } = useAttempt(signInFailure);
  const enter = (organizationId?: string) =>
    attempt(async () => {
      try {
        const address = email.current!.value.trim();
        const same = address === locked?.agent.email ? locked.organization.id : undefined;
        await signIn(address, password.current!.value, organizationId ?? same);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'organization_required') throw error;
        setOrganizations(error.members.organizations ?? []);
      }
    });
  const { check, of } = useFaults();
  const submit = (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (check(event.currentTarget)) void enter();
  };
  const isChoosing = organizations.length > 0;
  return (
    <Welcome title={isChoosing ? text.chooseOrganization : text.signIn}>
      {endReason.value && !isChoosing && (
        <p class="hint news" role="status">
          {text.ended[endReason.value]} {locked && text.pageStays}
        </p>
      )}
      {isChoosing && <p class="hint">{text.chooseOrganizationHint}</p>}
      <form noValidate onSubmit={submit} hidden={isChoosing}>
        <Fields email={email} password={password} of={of} known={locked?.agent.email} />
        <button type="submit" class="button primary" disabled={isBusy}>
          {isBusy ? text.signingIn : text.signIn}
        </button>
      </form>
      {isChoosing && (
        <Organizations
          organizations={organizations}
          isBusy={isBusy}
          onChoose={(id) => (id === null ? setOrganizations([]) : void enter(id))}
        />
      )}
      <p class="failure" role="alert">
        {failure}
      </p>
      {!isChoosing && <p class="hint">{text.noPassword}</p>}
    </Welcome>
  );
}

interface FieldsProps {
  email: FieldRef;
  password: FieldRef;
  of: ReturnType<typeof useFaults>['of'];
  /** The address of the agent who was signed in. */
  known?: string;
}

type FieldRef = RefObject<HTMLInputElement | null>;

function Fields({ email, password, of, known }: FieldsProps) {
  const text = strings.value;
  const fields = { email: of('email', text.emailMissing), password: of('password', text.passwordMissing) };
  return (
    <>
      <label for="email">{text.email}</label>
      <input
        ref={email}
        id="email"
        type="email"
        autocomplete="username"
        required
        maxLength={320}
        defaultValue={known}
        autofocus={!known}
        {...fields.email.attributes}
      />
      {fields.email.fault}
      <label for="password">{text.password}</label>
      <input
        ref={password}
        id="password"
        type="password"
        autocomplete="current-password"
        required
        maxLength={256}
        autofocus={Boolean(known)}
        {...fields.password.attributes}
      />
      {fields.password.fault}
    </>
  );
}

interface OrganizationsProps {
  organizations: readonly Named[];
  isBusy: boolean;
  onChoose: (id: string | null) => void;
}

/** The organizations that the email address and the password fit; null: another account. */
function Organizations({ organizations, isBusy, onChoose }: OrganizationsProps) {
  return (
    <div class="choices">
      {organizations.map(({ id, name }, index) => (
        <button type="button" class="button" autofocus={index === 0} disabled={isBusy} onClick={() => onChoose(id)}>
          <bdi>{name}</bdi>
        </button>
      ))}
      <button type="button" class="button link" onClick={() => onChoose(null)}>
        {strings.value.otherAccount}
      </button>
    </div>
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
