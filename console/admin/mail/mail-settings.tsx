import type { Fields } from '../../lib/merge.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { adminPath, type Organization } from '../api.js';
import { Choices, NumberChoices, TextField } from '../form/fields.js';
import { SavePageLine } from '../form/save-line.js';
import type { FormState } from '../form/use-form.js';
import { useRecordForm } from '../form/use-record-form.js';
import { PageSection } from '../parts/page-section.js';
import type { Reading } from '../parts/reading.js';

const MAX_MINUTES = 1_440;
const DEFAULT_MINUTES = 5;

interface Values {
  fromName: string;
  logoUrl: string;
  missed: 'never' | 'minutes';
  missedMinutes: number;
  transcript: Organization['mail']['transcript'];
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
        <TextField
          form={form}
          name="logoUrl"
          label={text.logo}
          hint={text.logoHint}
          input={{ type: 'url', maxLength: 500, dir: 'ltr' }}
        />
        <SavePageLine form={form} />
      </form>
    </PageSection>
  );
}

/** After how long a missed answer is sent. */
function Missed({ form }: { form: FormState<Values> }) {
  const { minutesUnit, mail: text } = adminStrings.value;
  return (
    <NumberChoices
      isNamed
      form={form}
      name="missed"
      label={text.missed}
      hint={text.missedHint}
      without={{ value: 'never', name: text.missedNever }}
      withNumber={{ value: 'minutes', name: text.missedMinutes }}
      number={{
        name: 'missedMinutes',
        label: text.missedLabel,
        unit: minutesUnit,
        min: 1,
        max: MAX_MINUTES,
      }}
    />
  );
}

function toValues({ mail: { fromName, logoUrl, missedAfterSeconds, transcript } }: Organization): Values {
  return {
    fromName: fromName ?? '',
    logoUrl: logoUrl ?? '',
    missed: missedAfterSeconds === 0 ? 'never' : 'minutes',
    missedMinutes: Math.max(1, Math.round(missedAfterSeconds / 60)) || DEFAULT_MINUTES,
    transcript,
  };
}

function toFields({ fromName, logoUrl, missed, missedMinutes, transcript }: Values): Fields {
  return {
    mail: {
      fromName: fromName.trim() || null,
      logoUrl: logoUrl.trim() || null,
      missedAfterSeconds: missed === 'never' ? 0 : missedMinutes * 60,
      transcript,
    },
  };
}
