import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { adminPath, type Organization } from '../api.js';
import { SavePageLine } from '../form/save-line.js';
import { TextArea } from '../form/fields.js';
import { PageSection } from '../parts/page-section.js';
import type { Reading } from '../parts/reading.js';
import { useRecordForm } from '../form/use-record-form.js';
import { linesOf } from './lines.js';

/** The sites that may embed the chat. */
export function Origins({ organization, reading }: { organization: Organization; reading: Reading<Organization> }) {
  const text = adminStrings.value;
  const form = useRecordForm(organization, {
    path: adminPath(''),
    toValues: (one) => ({ allowedOrigins: one.allowedOrigins.join('\n') }),
    toFields: ({ allowedOrigins }) => ({ allowedOrigins: linesOf(allowedOrigins) }),
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
    },
  });
  const isOpen = linesOf(form.values.allowedOrigins).length === 0;
  return (
    <PageSection title={text.origins} hint={text.originsHint}>
      <form class="form" noValidate onSubmit={form.submit}>
        <TextArea
          form={form}
          name="allowedOrigins"
          label={text.originsLabel}
          hint={isOpen ? text.originsAny : undefined}
          rule={text.originsRule}
          area={{ dir: 'ltr', spellcheck: false, placeholder: 'https://www.example.com', class: 'code' }}
        />
        <SavePageLine form={form} />
      </form>
    </PageSection>
  );
}
