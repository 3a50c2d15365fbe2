import { useState } from 'preact/hooks';
import { fitLogo } from '../../lib/fit-picture.js';
import type { Fields } from '../../lib/merge.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { PictureInput } from '../../ui/parts/picture-input.js';
import { adminPath, type Organization } from '../api.js';
import { Checks, Choices, NumberChoices, TextField } from '../form/fields.js';
import { SavePageLine } from '../form/save-line.js';
import type { FormState } from '../form/use-form.js';
import { useRecordForm } from '../form/use-record-form.js';
import { PageSection } from '../parts/page-section.js';
import type { Reading } from '../parts/reading.js';

const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 300;

interface Values {
  fromName: string;
  logoUrl: string | null;
  missed: 'never' | 'seconds';
  missedAfterSeconds: number;
  transcript: Organization['mail']['transcript'];
  pushContent: string[];
}

/** What an organization says about its e-mails. */
export function MailSettings({
  organization,
  reading,
}: {
  organization: Organization;
  reading: Reading<Organization>;
}) {
  const { saved, mail: text } = adminStrings.value;
  const form = useRecordForm(organization, {
    path: adminPath(''),
    member: 'mail',
    toValues,
    toFields,
    onSaved: (stored) => {
      reading.set(stored);
      notify(saved);
    },
  });
  return (
    <PageSection title={text.settings}>
      <form class="form" noValidate onSubmit={form.submit}>
        <Missed form={form} />
        <Choices
          form={form}
          name="transcript"
          label={text.transcript}
          hint={text.transcriptHint}
          choices={(['NEVER', 'ON_REQUEST', 'ALWAYS'] as const).map((value) => ({
            value,
            name: text.transcriptRule[value],
          }))}
        />
        <TextField
          form={form}
          name="fromName"
          label={text.fromName}
          hint={text.fromNameHint}
          input={{ maxLength: 100 }}
        />
        <Logo form={form} />
        <Checks
          form={form}
          name="pushContent"
          label={text.pushContent}
          hint={text.pushContentHint}
          choices={[{ value: 'shown', name: text.pushContentShown }]}
        />
        <SavePageLine form={form} />
      </form>
    </PageSection>
  );
}

/** After how long a missed answer is sent. */
function Missed({ form }: { form: FormState<Values> }) {
  const { seconds: unit, mail: text } = adminStrings.value;
  return (
    <NumberChoices
      isNamed
      form={form}
      name="missed"
      label={text.missed}
      hint={text.missedHint}
      without={{ value: 'never', name: text.missedNever }}
      withNumber={{ value: 'seconds', name: text.missedAfter }}
      number={{ name: 'missedAfterSeconds', label: text.missedLabel, unit, min: MIN_SECONDS, max: MAX_SECONDS }}
    />
  );
}

function Logo({ form }: { form: FormState<Values> }) {
  const { mail: text, widget: words } = adminStrings.value;
  const [isUnreadable, setUnreadable] = useState(false);
  const choose = (url: string | null) => {
    setUnreadable(false);
    form.set('logoUrl', url);
  };
  const fault = isUnreadable ? words.pictureRule : (form.faults.logoUrl ?? '');
  return (
    <PictureInput
      {...{ fault, words }}
      label={text.logo}
      hint={text.logoHint}
      address={form.values.logoUrl}
      isWide
      onChoose={(file) => void fitLogo(file).then(choose, () => setUnreadable(true))}
      onClear={() => choose(null)}
    />
  );
}

function toValues({ mail: { fromName, logoUrl, missedAfterSeconds, transcript, pushContent } }: Organization): Values {
  return {
    fromName: fromName ?? '',
    logoUrl,
    missed: missedAfterSeconds === 0 ? 'never' : 'seconds',
    missedAfterSeconds: missedAfterSeconds || DEFAULT_SECONDS,
    transcript,
    pushContent: pushContent ? ['shown'] : [],
  };
}

function toFields({ fromName, logoUrl, missed, missedAfterSeconds, transcript, pushContent }: Values): Fields {
  return {
    fromName: fromName.trim() || null,
    logoUrl,
    missedAfterSeconds: missed === 'never' ? 0 : missedAfterSeconds,
    transcript,
    pushContent: pushContent.length > 0,
  };
}
