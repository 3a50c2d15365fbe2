import { useRef, useState } from 'preact/hooks';
import { post } from '../../api/request.js';
import { strings } from '../../locales/strings.js';
import { useFaults } from '../parts/use-faults.js';
import { EmailField } from './email-field.js';
import { signInFailure } from './sign-in-failure.js';
import { useAttempt } from './use-attempt.js';
import { Welcome } from './welcome.js';

interface ForgotPasswordProps {
  /** The address that was typed to sign in. */
  known?: string;
  onBack: () => void;
}

/** Asks for a link by e-mail. What it says afterwards is the same for every address. */
export function ForgotPassword({ known, onBack }: ForgotPasswordProps) {
  const text = strings.value;
  const email = useRef<HTMLInputElement>(null);
  const [isSent, setSent] = useState(false);
  const { failure, isBusy, attempt } = useAttempt(signInFailure);
  const { check, of } = useFaults();
  const submit = (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!check(event.currentTarget)) return;
    void attempt(async () => {
      await post('/password-reset', { email: email.current!.value.trim() });
      setSent(true);
    });
  };
  return (
    <Welcome title={text.forgotPassword}>
      <p class="hint" role="status">
        {isSent ? text.resetSent : text.resetHint}
      </p>
      {!isSent && (
        <form noValidate onSubmit={submit}>
          <EmailField email={email} of={of} known={known} isFirst />
          <button type="submit" class="button primary" disabled={isBusy}>
            {text.sendLink}
          </button>
        </form>
      )}
      <p class="failure" role="alert">
        {failure}
      </p>
      <button type="button" class="button link" onClick={onBack}>
        {text.toSignIn}
      </button>
    </Welcome>
  );
}
