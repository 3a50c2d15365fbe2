import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { adminPath, type Organization, type Pictures, type WidgetSettings } from '../api.js';
import { Choices, NumberChoices, NumberField, TextArea, TextField } from '../form/fields.js';
import type { FormState } from '../form/use-form.js';
import { SavePageLine } from '../form/save-line.js';
import { PageSection } from '../parts/page-section.js';
import { useRecordForm } from '../form/use-record-form.js';
import { FormFields } from './form-fields.js';
import { Translations } from './translations.js';
import { toSettings, toValues, type Values } from './widget-values.js';
import { ChoiceField, ChoicePair, Looks } from './looks.js';
import { Preview } from './preview.js';
import { ProactiveMessages } from './proactive.js';

interface SettingsProps {
  stored: WidgetSettings;
  organization: Organization;
  pictures?: Pictures;
}

/** The appearance of the chat and its questions, on all sites of the organization. */
export function Settings({ stored, organization, pictures }: SettingsProps) {
  const text = adminStrings.value;
  const form = useRecordForm(stored, {
    path: adminPath('/widget'),
    toValues,
    toFields: (values) => ({ ...toSettings(values) }),
    onSaved: () => notify(text.saved),
  });
  return (
    <PageSection title={text.look} hint={text.lookHint}>
      <form class="form" noValidate onSubmit={form.submit}>
        <div class="builder">
          <div class="form">
            <WidgetFields form={form} organizationName={organization.name} />
          </div>
          <Preview values={form.values} organization={organization} pictures={pictures} />
        </div>
        <SavePageLine form={form} />
      </form>
    </PageSection>
  );
}

function WidgetFields({ form, organizationName }: { form: FormState<Values>; organizationName: string }) {
  const text = adminStrings.value;
  const words = text.widget;
  const onOff = [
    ['on', text.on],
    ['off', text.off],
  ] as const;
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={words.name}
        hint={words.nameHint}
        input={{ maxLength: 100, placeholder: organizationName }}
      />
      <TextArea form={form} name="greeting" label={words.greeting} area={{ rows: 3, maxLength: 1_000 }} />
      <Looks form={form} />
      <Greets form={form} />
      <ProactiveMessages form={form} />
      <TextArea
        form={form}
        name="questions"
        label={words.questions}
        hint={words.questionsHint}
        rule={words.questionsRule}
      />
      <TextField
        form={form}
        name="officeHours"
        label={words.officeHours}
        hint={words.officeHoursHint}
        input={{ maxLength: 500 }}
      />
      <Asks form={form} />
      <Translations form={form} />
      <Person form={form} />
      <ChoiceField form={form} field={{ name: 'pageContext', label: words.pageContext, choices: onOff }} />
      <TextField
        form={form}
        name="cookieDomain"
        label={words.cookieDomain}
        hint={words.cookieDomainHint}
        rule={words.cookieDomainRule}
        input={{ maxLength: 253, dir: 'ltr', spellcheck: false, placeholder: 'example.com' }}
      />
      <ChoiceField form={form} field={{ name: 'messageRating', label: words.messageRating, choices: onOff }} />
      <ChoicePair
        form={form}
        fields={[
          { name: 'sound', label: words.sound, choices: onOff },
          { name: 'rating', label: words.rating, choices: onOff },
        ]}
      />
    </>
  );
}

/** Whether the greeting is shown next to the closed chat, after how long, and where. */
function Greets({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  const words = text.widget;
  return (
    <Choices
      form={form}
      name="greets"
      label={words.greets}
      choices={[
        { value: 'inside', name: words.greetsInside },
        {
          value: 'outside',
          name: words.greetsOutside,
          more: (
            <>
              <NumberField
                form={form}
                name="greetingAfterSeconds"
                label={words.after}
                unit={text.seconds}
                min={0}
                max={3_600}
              />
              <TextArea
                form={form}
                name="greetingPaths"
                label={words.paths}
                hint={words.pathsHint}
                rule={words.pathsRule}
                area={{ dir: 'ltr', rows: 2, spellcheck: false, placeholder: '/shop/', class: 'code' }}
              />
            </>
          ),
        },
      ]}
    />
  );
}

/** Whether visitors may ask for a person, and after how many messages of the bot. */
function Person({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.widget;
  return (
    <NumberChoices
      form={form}
      name="person"
      label={words.person}
      without={{ value: 'never', name: words.personNever }}
      withNumber={{ value: 'offered', name: words.personOffered }}
      number={{
        name: 'personAfter',
        label: words.personAfter,
        unit: words.personUnit,
        hint: words.personHint,
        min: 0,
        max: 100,
      }}
    />
  );
}

/** Questions and consent before the first message. */
function Asks({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.widget;
  const choices = [
    ['', words.askNot],
    ['optional', words.askOptional],
    ['required', words.askRequired],
  ] as const;
  return (
    <>
      <ChoicePair
        form={form}
        fields={[
          { name: 'askName', label: words.askName, choices },
          { name: 'askEmail', label: words.askEmail, choices },
        ]}
      />
      <FormFields form={form} />
      <TextField
        form={form}
        name="privacyUrl"
        label={words.privacyUrl}
        rule={words.privacyUrlRule}
        input={{ type: 'url', maxLength: 2_000, dir: 'ltr', placeholder: 'https://www.example.com/privacy' }}
      />
      <TextField form={form} name="consent" label={words.consent} hint={words.consentHint} input={{ maxLength: 500 }} />
      <TextField
        form={form}
        name="aiDisclosure"
        label={words.aiDisclosure}
        hint={words.aiDisclosureHint}
        input={{ maxLength: 200 }}
      />
    </>
  );
}
