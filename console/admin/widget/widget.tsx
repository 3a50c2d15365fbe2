import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { type Organization, read, type WidgetSettings } from '../api.js';
import { CopyField } from '../parts/copy-field.js';
import { Part } from '../parts/page-section.js';
import { Shown } from '../parts/loaded.js';
import { useReading } from '../parts/reading.js';
import { Settings } from './widget-form.js';
import { Origins } from './origins.js';

/** The chat on the organization's own sites: how it looks, what it asks, the line to embed, and where it may be. */
export function WidgetPage() {
  const organization = useReading(() => read<Organization>(''));
  const settings = useReading(() => read<WidgetSettings>('/widget'));
  return (
    <>
      <PageHead title={strings.value.section.widget} />
      <div class="page-body">
        <p class="lead">{adminStrings.value.widgetLead}</p>
        <Shown of={organization}>
          {(value) => (
            <>
              <Snippet widgetKey={value.widgetKey} />
              <Shown of={settings}>{(stored) => <Settings stored={stored} organizationName={value.name} />}</Shown>
              <Origins organization={value} reading={organization} />
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

/** The line to embed. */
function Snippet({ widgetKey }: { widgetKey: string }) {
  const text = adminStrings.value;
  const snippet = `<script async src="${location.origin}/widget.js" data-widget-key="${widgetKey}"></script>`;
  return (
    <Part title={text.embed} hint={text.embedHint}>
      <CopyField label={text.snippet} value={snippet} isLong />
      <p class="hint small">{text.snippetHint}</p>
    </Part>
  );
}
