import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { adminPath, type Captcha, put, read, removeVersion } from '../api.js';
import { Choices, TextField } from '../form/fields.js';
import { SavePageLine } from '../form/save-line.js';
import { useRecordForm } from '../form/use-record-form.js';
import { Loaded } from '../parts/loaded.js';
import { PageSection } from '../parts/page-section.js';
import { useReading } from '../parts/reading.js';

interface Values {
  provider: 'NONE' | Captcha['provider'];
  siteKey: string;
  secret: string;
}

interface Stored {
  captcha: (Captcha & { secret?: string }) | null;
}

/** The captcha that new visitors solve. Its secret is never shown, so each change asks for it again. */
export function CaptchaSection() {
  const text = adminStrings.value.captcha;
  const stored = useReading(() => read<Stored>('/captcha'));
  return (
    <PageSection
      title={text.title}
      hint={
        <>
          {text.hint}{' '}
          <a href={`${basePath}/docs/website/settings#captcha`} target="_blank" rel="noreferrer">
            {text.docs}
          </a>
        </>
      }
    >
      <Loaded of={stored}>{(value) => <CaptchaForm stored={value} />}</Loaded>
    </PageSection>
  );
}

/** Its fields are changed as a whole. */
function toFields({ provider, siteKey, secret }: Values): { captcha: Stored['captcha'] } {
  if (provider === 'NONE') return { captcha: null };
  return { captcha: { provider, siteKey: siteKey.trim(), secret: secret.trim(), verifyUrl: null } };
}

/** Stores a captcha, unless it's no longer the one that was read. @throws RequestError */
async function send(next: Stored['captcha'], before: Stored): Promise<Stored> {
  const { captcha } = before;
  if (next) {
    const verifyUrl = captcha?.provider === next.provider ? captcha.verifyUrl : null;
    return put<Stored>('/captcha', { ...next, verifyUrl: verifyUrl ?? undefined }, before);
  }
  await removeVersion('/captcha', before);
  return read<Stored>('/captcha');
}

function CaptchaForm({ stored }: { stored: Stored }) {
  const text = adminStrings.value;
  const words = text.captcha;
  const form = useRecordForm<Stored, Values>(stored, {
    path: adminPath('/captcha'),
    toValues: ({ captcha }) => ({
      provider: captcha?.provider ?? 'NONE',
      siteKey: captcha?.siteKey ?? '',
      secret: captcha?.secret ?? '',
    }),
    toFields,
    sends: ({ captcha }, before) => send(captcha as Stored['captcha'], before),
    onSaved: () => notify(text.saved),
  });
  const keys = (
    <>
      <TextField
        form={form}
        name="siteKey"
        label={words.siteKey}
        rule={words.siteKeyRule}
        input={{ maxLength: 200, dir: 'ltr', spellcheck: false }}
      />
      <TextField
        form={form}
        name="secret"
        label={words.secret}
        hint={words.secretHint}
        rule={words.secretRule}
        input={{ type: 'password', maxLength: 200, dir: 'ltr', autocomplete: 'new-password' }}
      />
    </>
  );
  return (
    <form class="form" noValidate onSubmit={form.submit}>
      <Choices
        form={form}
        name="provider"
        label={words.provider}
        choices={[
          { value: 'NONE', name: words.none },
          { value: 'TURNSTILE', name: 'Cloudflare Turnstile', more: keys },
          { value: 'HCAPTCHA', name: 'hCaptcha', more: keys },
        ]}
      />
      <SavePageLine form={form} />
    </form>
  );
}
