import { adminStrings } from '../../locales/admin-strings.js';
import type { Fields } from '../../lib/merge.js';
import { waitTime } from '../../lib/times.js';
import { readGroups } from '../../state/inbox/counts.js';
import { notify } from '../../state/notices.js';
import { type AdminGroup, adminPath, type Organization } from '../api.js';
import { Choices, NameField, NumberField } from '../form/fields.js';
import { HoursField } from '../form/hours-field.js';
import { type HoursValues, toHoursField, toHoursValues } from '../form/hours.js';
import { SavePageLine } from '../form/save-line.js';
import type { Reading } from '../parts/reading.js';
import type { FormState } from '../form/use-form.js';
import { useRecordForm } from '../form/use-record-form.js';
import { BotField } from './bot-field.js';

const ROUTINGS = ['MANUAL', 'OFFER', 'AUTOMATIC'] as const;

const DAY_SECONDS = 86_400;

type Values = Pick<
  AdminGroup,
  | 'name'
  | 'routing'
  | 'offerSeconds'
  | 'maxPendingOffers'
  | 'maxWaitSeconds'
  | 'onUnanswered'
  | 'offlineReassignSeconds'
> &
  HoursValues & { botId: string };

function toValues(group: AdminGroup, organization: Organization): Values {
  const { name, routing, offerSeconds, maxPendingOffers, maxWaitSeconds, onUnanswered, offlineReassignSeconds } = group;
  const values = {
    name,
    routing,
    offerSeconds,
    maxPendingOffers,
    maxWaitSeconds,
    onUnanswered,
    offlineReassignSeconds,
  };
  return { ...values, botId: group.botId ?? '', ...toHoursValues(group.officeHours, organization) };
}

function toFields({ hasHours, officeHours, botId, ...values }: Values): Fields {
  return { ...values, botId: botId || null, ...toHoursField({ hasHours, officeHours }) };
}

interface SettingsProps {
  group: AdminGroup;
  organization: Organization;
  reading: Reading<AdminGroup>;
}

export function Settings({ group, organization, reading }: SettingsProps) {
  const text = adminStrings.value;
  const form = useRecordForm(group, {
    path: adminPath(`/groups/${group.id}`),
    toValues: (one) => toValues(one, organization),
    toFields,
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
      void readGroups().catch(() => undefined);
    },
  });
  const number = (name: NumberName, min: number, max: number) => <Amount form={form} name={name} min={min} max={max} />;
  const routings = ROUTINGS.map((value) => ({
    value,
    name: text.routing[value],
    hint: text.routingHint[value],
    more: value === 'OFFER' && (
      <>
        {number('offerSeconds', 10, 600)}
        {number('maxPendingOffers', 1, 100)}
      </>
    ),
  }));
  const ends = (['KEEP', 'RETURN_TO_BOT'] as const).map((value) => ({
    value,
    name: text.onUnansweredChoice[value],
    hint: text.onUnansweredHint[value],
  }));
  return (
    <form class="form" noValidate onSubmit={form.submit}>
      <NameField form={form} hint={text.groupNameHint} />
      <BotField form={form} />
      <Choices form={form} name="routing" label={text.routingName} choices={routings} />
      {number('maxWaitSeconds', 0, DAY_SECONDS)}
      {form.values.maxWaitSeconds > 0 && (
        <Choices form={form} name="onUnanswered" label={text.onUnanswered} choices={ends} />
      )}
      {number('offlineReassignSeconds', 0, DAY_SECONDS)}
      <HoursField
        form={form}
        label={text.hours.title}
        hint={text.hours.hint}
        without={{ name: text.hours.asOrganization, hint: text.hours.asOrganizationHint }}
      />
      <SavePageLine form={form} />
    </form>
  );
}

type NumberName = 'offerSeconds' | 'maxPendingOffers' | 'maxWaitSeconds' | 'offlineReassignSeconds';

interface AmountProps {
  form: FormState<Values>;
  name: NumberName;
  min: number;
  max: number;
}

function Amount({ form, name, min, max }: AmountProps) {
  const text = adminStrings.value;
  return (
    <NumberField
      form={form}
      name={name}
      label={text[name]}
      unit={name === 'maxPendingOffers' ? '' : unitOf(form.values[name])}
      min={min}
      max={max}
      hint={text[`${name}Hint`]}
    />
  );
}

/** "seconds · 3 minutes" for whole minutes. */
function unitOf(value: number): string {
  const text = adminStrings.value;
  if (value === 0) return `${text.seconds} · ${text.never}`;
  return value >= 60 && value % 60 === 0 ? `${text.seconds} · ${waitTime(value)}` : text.seconds;
}
