import { useState } from 'preact/hooks';
import { sizeWords } from '../../headless/files/kinds.js';
import { fill } from '../../headless/text.js';
import type { Fields } from '../lib/merge.js';
import { shortDate } from '../lib/times.js';
import { adminStrings } from '../locales/admin-strings.js';
import { locale, plural, strings } from '../locales/strings.js';
import { now } from '../state/clock.js';
import { notify } from '../state/notices.js';
import { loadSession } from '../state/session.js';
import { PageHead } from '../ui/parts/page-head.js';
import { adminPath, type FileUsage, type Organization, read } from './api.js';
import { Choices, NameField, NumberChoices, NumberField, TextField } from './form/fields.js';
import { HoursField } from './form/hours-field.js';
import { type HoursValues, toHoursField, toHoursValues } from './form/hours.js';
import { SavePageLine } from './form/save-line.js';
import { Confirm } from './parts/confirm.js';
import { CopyField } from './parts/copy-field.js';
import { PageSection } from './parts/page-section.js';
import { Loaded } from './parts/loaded.js';
import { type Reading, useReading } from './parts/reading.js';
import type { FormState } from './form/use-form.js';
import { useRecordForm } from './form/use-record-form.js';

const MAX_DAYS = 3_650;
const DEFAULT_DAYS = 365;
const MAX_AWAY_MINUTES = 480;
const DEFAULT_AWAY_MINUTES = 10;
const MAX_BOT_SECONDS = 86_400;
const DEFAULT_SILENCE_SECONDS = 120;
const DEFAULT_REPLY_SECONDS = 300;
const MAX_LATE_SECONDS = 86_400;
const MB = 1_048_576;
const DEFAULT_QUOTA = 10_737_418_240;
/** 1 PB. */
const MAX_QUOTA_MB = 1_073_741_824;

export function OrganizationPage() {
  const organization = useReading(() => read<Organization>(''));
  return (
    <>
      <PageHead title={strings.value.section.organization} />
      <div class="page-body">
        <Loaded of={organization}>{(value) => <Settings organization={value} reading={organization} />}</Loaded>
      </div>
    </>
  );
}

interface Values extends HoursValues {
  name: string;
  timeZone: string;
  keeps: 'ever' | 'days';
  retentionDays: number;
  preview: 'off' | 'on';
  addresses: 'off' | 'on';
  botChats: 'own' | 'each';
  away: 'never' | 'minutes';
  awayAfterMinutes: number;
  silence: 'never' | 'seconds';
  botSilenceSeconds: number;
  reply: 'never' | 'seconds';
  botReplySeconds: number;
  lateAfterSeconds: number;
  visitorFiles: 'off' | 'on';
  room: 'all' | 'some';
  /** MB. */
  fileQuota: number;
}

function Settings({ organization, reading }: { organization: Organization; reading: Reading<Organization> }) {
  const text = adminStrings.value;
  const { id, createdAt } = organization;
  const [asks, ask] = useState<{ days: number; answer: (isSure: boolean) => void } | null>(null);
  const form = useRecordForm(organization, {
    path: adminPath(''),
    toValues,
    toFields,
    confirms: ({ retentionDays: days }, before) =>
      !removesMore(days, before.retentionDays) || new Promise((answer) => ask({ days: days as number, answer })),
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
      void loadSession().catch(() => undefined);
    },
  });
  const answer = (isSure: boolean) => {
    asks?.answer(isSure);
    ask(null);
  };
  return (
    <>
      <form class="form" noValidate onSubmit={form.submit}>
        <Identity form={form} />
        <Retention form={form} />
        <Privacy form={form} />
        <Bots form={form} />
        <Away form={form} />
        <SilentBots form={form} />
        <LateAnswers form={form} />
        <Files form={form} />
        <HoursField
          form={form}
          label={text.hours.title}
          hint={text.hours.organizationHint}
          without={{ name: text.hours.always, hint: text.hours.alwaysHint }}
        />
        <SavePageLine form={form} />
      </form>
      <PageSection title={text.reference}>
        <CopyField label={text.organizationId} value={id} />
        <p class="hint small">{fill(text.addedOn, { time: shortDate(createdAt) })}</p>
      </PageSection>
      {asks && (
        <Confirm
          title={text.retentionTitle}
          hint={plural(text.retentionWarning, asks.days)}
          name={text.retentionNow}
          isDanger
          // The service's errors are shown at their fields.
          run={() => Promise.resolve(answer(true))}
          onClose={() => answer(false)}
        />
      )}
    </>
  );
}

function Identity({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  return (
    <>
      <NameField form={form} hint={text.organizationNameHint} />
      <TextField
        form={form}
        name="timeZone"
        label={text.timeZone}
        hint={`${text.timeZoneHint} ${timeIn(form.values.timeZone)}`}
        rule={text.timeZoneRule}
        input={{ required: true, maxLength: 64, list: 'zones', dir: 'ltr', spellcheck: false }}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function Retention({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  return (
    <NumberChoices
      isNamed
      form={form}
      name="keeps"
      label={text.retention}
      hint={text.retentionHint}
      without={{ value: 'ever', name: text.keepEver }}
      withNumber={{ value: 'days', name: text.keepDays }}
      number={{ name: 'retentionDays', label: text.retentionDays, unit: text.days, min: 1, max: MAX_DAYS }}
    />
  );
}

/** Whether agents see what visitors type, and whether addresses are stored. */
function Privacy({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  return (
    <>
      <Choices
        form={form}
        name="preview"
        label={text.typingPreview}
        hint={text.previewHint}
        choices={[
          { value: 'off', name: text.previewOff },
          { value: 'on', name: text.previewOn },
        ]}
      />
      <Choices
        form={form}
        name="addresses"
        label={text.storeAddresses}
        hint={text.addressesHint}
        choices={[
          { value: 'on', name: text.addressesOn },
          { value: 'off', name: text.addressesOff },
        ]}
      />
    </>
  );
}

/** Whether bots may act in chats of people. */
function Bots({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  return (
    <Choices
      form={form}
      name="botChats"
      label={text.botsInPeoplesChats}
      hint={text.peoplesChatsHint}
      choices={[
        { value: 'own', name: text.noBotsInPeoplesChats },
        { value: 'each', name: text.asEachBot },
      ]}
    />
  );
}

/** After how long agents without input become AWAY. */
function Away({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  const unit = { label: text.minutesLabel, unit: text.minutesUnit };
  return (
    <NumberChoices
      isNamed
      form={form}
      name="away"
      label={text.away}
      hint={text.awayHint}
      without={{ value: 'never', name: text.awayNever }}
      withNumber={{ value: 'minutes', name: text.awayMinutes }}
      number={{ name: 'awayAfterMinutes', ...unit, min: 1, max: MAX_AWAY_MINUTES }}
    />
  );
}

/** After how long agents get the chats of bots that don't take or answer messages. */
function SilentBots({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  const limits = { unit: text.seconds, min: 1, max: MAX_BOT_SECONDS };
  return (
    <>
      <NumberChoices
        isNamed
        form={form}
        name="silence"
        label={text.silentBots}
        hint={text.silentBotsHint}
        without={{ value: 'never', name: text.staysWithBot }}
        withNumber={{ value: 'seconds', name: text.goesToAgents }}
        number={{ name: 'botSilenceSeconds', label: text.silenceSeconds, ...limits }}
      />
      <NumberChoices
        isNamed
        form={form}
        name="reply"
        label={text.unansweringBots}
        hint={text.unansweringBotsHint}
        without={{ value: 'never', name: text.staysWithBot }}
        withNumber={{ value: 'seconds', name: text.goesToAgents }}
        number={{ name: 'botReplySeconds', label: text.replySeconds, ...limits }}
      />
    </>
  );
}

/** From when on a chat of an agent counts as late. */
function LateAnswers({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  return (
    <NumberField
      form={form}
      name="lateAfterSeconds"
      label={text.lateAfter}
      hint={text.lateAfterHint}
      unit={text.seconds}
      min={1}
      max={MAX_LATE_SECONDS}
    />
  );
}

/** Whether visitors may send files, and how much room all files have. */
function Files({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  const usage = useReading(() => read<FileUsage>('/files'));
  return (
    <>
      <Choices
        form={form}
        name="visitorFiles"
        label={text.visitorFiles}
        hint={text.visitorFilesHint}
        choices={[
          { value: 'off', name: text.visitorFilesOff },
          { value: 'on', name: text.visitorFilesOn },
        ]}
      />
      <NumberChoices
        isNamed
        form={form}
        name="room"
        label={text.fileRoom}
        hint={usage.value ? `${usageWords(usage.value)} ${text.fileRoomHint}` : text.fileRoomHint}
        without={{ value: 'all', name: text.fileRoomAll }}
        withNumber={{ value: 'some', name: text.fileRoomSome }}
        number={{ name: 'fileQuota', label: text.fileQuota, unit: text.megabytes, min: 0, max: MAX_QUOTA_MB }}
      />
    </>
  );
}

function usageWords({ files, bytes, unfinished }: FileUsage): string {
  const { filesStored, filesUnfinished } = adminStrings.value;
  const words = fill(plural(filesStored, files), { size: sizeWords(bytes, locale.value) });
  return unfinished === 0 ? words : `${words} ${fill(filesUnfinished, { size: sizeWords(unfinished, locale.value) })}`;
}

function toValues(organization: Organization): Values {
  const { name, timeZone, retentionDays, typingPreview, storeAddresses, onlyOwnChats } = organization;
  const { awayAfterMinutes, officeHours, botSilenceSeconds, botReplySeconds, lateAfterSeconds } = organization;
  const { visitorUploads, fileQuota } = organization;
  return {
    name,
    timeZone,
    keeps: retentionDays === null ? 'ever' : 'days',
    retentionDays: retentionDays ?? DEFAULT_DAYS,
    preview: typingPreview ? 'on' : 'off',
    addresses: storeAddresses ? 'on' : 'off',
    botChats: onlyOwnChats ? 'own' : 'each',
    away: awayAfterMinutes === 0 ? 'never' : 'minutes',
    awayAfterMinutes: awayAfterMinutes || DEFAULT_AWAY_MINUTES,
    silence: botSilenceSeconds === 0 ? 'never' : 'seconds',
    botSilenceSeconds: botSilenceSeconds || DEFAULT_SILENCE_SECONDS,
    reply: botReplySeconds === 0 ? 'never' : 'seconds',
    botReplySeconds: botReplySeconds || DEFAULT_REPLY_SECONDS,
    lateAfterSeconds,
    visitorFiles: visitorUploads ? 'on' : 'off',
    room: fileQuota === null ? 'all' : 'some',
    fileQuota: Math.round((fileQuota ?? DEFAULT_QUOTA) / MB),
    ...toHoursValues(officeHours, organization),
  };
}

function toFields(values: Values): Fields {
  const { name, timeZone, keeps, retentionDays, preview, addresses, botChats, ...others } = values;
  const { away, awayAfterMinutes, silence, botSilenceSeconds, reply, botReplySeconds, lateAfterSeconds, ...more } =
    others;
  const { visitorFiles, room, fileQuota, ...hours } = more;
  return {
    name,
    timeZone: timeZone.trim(),
    retentionDays: keeps === 'ever' ? null : retentionDays,
    typingPreview: preview === 'on',
    storeAddresses: addresses === 'on',
    onlyOwnChats: botChats === 'own',
    awayAfterMinutes: away === 'never' ? 0 : awayAfterMinutes,
    botSilenceSeconds: silence === 'never' ? 0 : botSilenceSeconds,
    botReplySeconds: reply === 'never' ? 0 : botReplySeconds,
    lateAfterSeconds,
    visitorUploads: visitorFiles === 'on',
    fileQuota: room === 'all' ? null : fileQuota * MB,
    ...toHoursField(hours),
  };
}

/** Whether more is deleted than before. @param days undefined if unchanged */
function removesMore(days: unknown, before: number | null): boolean {
  return typeof days === 'number' && (before === null || days < before);
}

/** The current time in a zone, as a check of the choice. */
function timeIn(timeZone: string): string {
  try {
    const time = new Intl.DateTimeFormat(locale.value, { timeZone, timeStyle: 'short', dateStyle: 'medium' });
    return fill(adminStrings.value.timeThere, { time: time.format(now.value) });
  } catch {
    return '';
  }
}
