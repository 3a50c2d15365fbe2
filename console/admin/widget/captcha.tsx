import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { type Captcha, put, read, remove } from '../api.js';
import { Choices, TextField } from '../form/fields.js';
import { SavePageLine } from '../form/save-line.js';
import { useForm } from '../form/use-form.js';
import { Loaded } from '../parts/loaded.js';
import { PageSection } from '../parts/page-section.js';
import { useReading } from '../parts/reading.js';

interface Values {
  provider: 'NONE' | Captcha['provider'];
  siteKey: string;
  secret: string;
}

/** The captcha that new visitors solve. Its secret is never shown, so each change asks for it again. */
export function CaptchaSection() {
  const text = adminStrings.value.captcha;
  const stored = useReading(() => read<{ captcha: Captcha | null }>('/captcha'));
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
      <Loaded of={stored}>{({ captcha }) => <CaptchaForm stored={captcha} />}</Loaded>
    </PageSection>
  );
}

function CaptchaForm({ stored }: { stored: Captcha | null }) {
  const text = adminStrings.value;
  const words = text.captcha;
  const form = useForm<Values>(
    { provider: stored?.provider ?? 'NONE', siteKey: stored?.siteKey ?? '', secret: '' },
    async ({ provider, siteKey, secret }) => {
      if (provider === 'NONE') await remove('/captcha');
      else
        await put('/captcha', {
          provider,
          siteKey: siteKey.trim(),
          secret: secret.trim(),
          verifyUrl: stored?.provider === provider ? (stored.verifyUrl ?? undefined) : undefined,
        });
      notify(text.saved);
      return { provider, siteKey: siteKey.trim(), secret: '' };
    },
    { guards: true },
  );
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
