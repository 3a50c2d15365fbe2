import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';
import { session } from '../../state/session.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { add, type MailSetup, type Organization, read, readPage, type SentMail } from '../api.js';
import { TextField } from '../form/fields.js';
import { DialogSaveLine } from '../form/save-line.js';
import { useForm } from '../form/use-form.js';
import { Loaded } from '../parts/loaded.js';
import { Badge, PageSection } from '../parts/page-section.js';
import { usePages, useReading } from '../parts/reading.js';
import { ArrivedMails, SentMails } from './mail-lists.js';
import { MailSettings } from './mail-settings.js';

/** What the organization sends by e-mail, and what became of it. */
export function MailPage() {
  const setup = useReading(() => read<MailSetup>('/mail'));
  const organization = useReading(() => read<Organization>(''));
  const sent = usePages<SentMail>((cursor) => readPage('/mails', 'mails', cursor, { limit: '25' }), []);
  return (
    <>
      <PageHead title={strings.value.section.mail} />
      <div class="page-body">
        <Loaded of={setup}>{(value) => <SetupState setup={value} onSent={sent.again} />}</Loaded>
        <Loaded of={organization}>{(value) => <MailSettings organization={value} reading={organization} />}</Loaded>
        <SentMails pages={sent} />
        <ArrivedMails />
      </div>
    </>
  );
}

/** Whether this installation sends e-mails, and a test. */
function SetupState({ setup: { isOn, from, takesReplies }, onSent }: { setup: MailSetup; onSent: () => void }) {
  const text = adminStrings.value.mail;
  const [isTesting, test] = useState(false);
  return (
    <PageSection
      title={text.setup}
      action={
        isOn && (
          <button type="button" class="button small" onClick={() => test(true)}>
            <Icon name="send" />
            {text.sendTest}
          </button>
        )
      }
    >
      <p>
        <Badge kind={isOn ? 'good' : 'warn'}>{isOn ? text.isOn : text.isOff}</Badge>{' '}
        {isOn ? <bdi>{fill(text.comesFrom, { from: from ?? '' })}</bdi> : text.offHint}
      </p>
      {isOn && <p class="hint">{takesReplies ? text.takesReplies : text.noReplies}</p>}
      {(!isOn || !takesReplies) && (
        <p>
          <a href={`${basePath}/docs/operate/mail`} target="_blank" rel="noreferrer">
            {text.howTo}
          </a>
        </p>
      )}
      {isTesting && <TestMail onSent={onSent} onClose={() => test(false)} />}
    </PageSection>
  );
}

function TestMail({ onSent, onClose }: { onSent: () => void; onClose: () => void }) {
  const text = adminStrings.value.mail;
  const form = useForm({ to: session.value!.agent.email }, async ({ to }) => {
    await add('/mail/test', { to: to.trim() });
    notify(text.testSent);
    onSent();
    onClose();
  });
  return (
    <Dialog title={text.sendTest} onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
        <TextField
          form={form}
          name="to"
          label={strings.value.email}
          hint={text.testHint}
          rule={adminStrings.value.emailRule}
          input={{ type: 'email', required: true, maxLength: 320, dir: 'ltr' }}
        />
        <DialogSaveLine form={form} name={text.sendNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}
