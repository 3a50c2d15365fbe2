import { serviceUrl } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { type Organization, type Pictures, read, type WidgetSettings } from '../api.js';
import { CopyField } from '../parts/copy-field.js';
import { PageSection } from '../parts/page-section.js';
import { Loaded } from '../parts/loaded.js';
import { useReading } from '../parts/reading.js';
import { TestChat } from '../setup/test-chat.js';
import { CaptchaSection } from './captcha.js';
import { Settings } from './widget-form.js';
import { Origins } from './origins.js';
import { PicturesSection } from './pictures.js';

export function WidgetPage() {
  const organization = useReading(() => read<Organization>(''));
  const settings = useReading(() => read<WidgetSettings>('/widget'));
  const pictures = useReading(() => read<Pictures>('/widget/pictures'));
  return (
    <>
      <PageHead title={strings.value.section.widget} />
      <div class="page-body">
        <p class="lead">{adminStrings.value.widgetLead}</p>
        <Loaded of={organization}>
          {(value) => (
            <>
              <Snippet organization={value} />
              <Loaded of={settings}>
                {(stored) => <Settings stored={stored} organization={value} pictures={pictures.value} />}
              </Loaded>
              <Loaded of={pictures}>{() => <PicturesSection reading={pictures} widgetKey={value.widgetKey} />}</Loaded>
              <Origins organization={value} reading={organization} />
              <CaptchaSection />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Snippet({ organization }: { organization: Organization }) {
  const text = adminStrings.value;
  const snippet = `<script async src="${serviceUrl}/widget.js" data-widget-key="${organization.widgetKey}"></script>`;
  return (
    <PageSection title={text.embed} hint={text.embedHint}>
      <CopyField label={text.snippet} value={snippet} isLong />
      <p class="hint small">
        {text.snippetHint}
        <TestChat organization={organization} />
      </p>
    </PageSection>
  );
}
