import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/request.js';
import type { Named } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { endReason, isLocked, session, signIn } from '../../state/session.js';
import { useFaults } from '../parts/use-faults.js';
import { EmailField, type EmailProps, type FieldRef } from './email-field.js';
import { ForgotPassword } from './forgot-password.js';
import { signInFailure } from './sign-in-failure.js';
import { Welcome } from './welcome.js';
import { useAttempt } from './use-attempt.js';

/** Whether the service has e-mail, so that agents can get a link without their administrator. */
const SENDS_MAIL = document.documentElement.hasAttribute('data-mail');

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
  const [known, setKnown] = useState(locked?.agent.email);
  const [forgets, forget] = useState(false);
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
  const toForgot = () => {
    setKnown(email.current?.value);
    forget(true);
  };
  const isChoosing = organizations.length > 0;
  if (forgets) return <ForgotPassword known={known} onBack={() => forget(false)} />;
  return (
    <Welcome title={isChoosing ? text.chooseOrganization : text.signIn}>
      {endReason.value && !isChoosing && (
        <p class="hint news" role="status">
          {text.ended[endReason.value]} {locked && text.pageStays}
        </p>
      )}
      {isChoosing && <p class="hint">{text.chooseOrganizationHint}</p>}
      <form noValidate onSubmit={submit} hidden={isChoosing}>
        <Fields email={email} password={password} of={of} known={known} />
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
      {!isChoosing && <NoPassword onForgot={toForgot} />}
    </Welcome>
  );
}

/** What agents do who can't sign in. */
function NoPassword({ onForgot }: { onForgot: () => void }) {
  const { noPassword, forgotPassword } = strings.value;
  if (!SENDS_MAIL) return <p class="hint">{noPassword}</p>;
  return (
    <button type="button" class="button link" onClick={onForgot}>
      {forgotPassword}
    </button>
  );
}

function Fields({ password, ...props }: EmailProps & { password: FieldRef }) {
  const text = strings.value;
  const { attributes, fault } = props.of('password', text.passwordMissing);
  return (
    <>
      <EmailField {...props} />
      <label for="password">{text.password}</label>
      <input
        ref={password}
        id="password"
        type="password"
        autocomplete="current-password"
        required
        maxLength={256}
        autofocus={Boolean(props.known)}
        {...attributes}
      />
      {fault}
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
