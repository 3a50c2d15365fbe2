import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { textColorOn } from '../../widget/launcher/contrast.js';
import { adminStrings } from '../locales/admin-strings.js';
import { language, strings } from '../locales/strings.js';
import { notify } from '../state/notices.js';
import { Icon } from '../ui/icon.js';
import { PageHead } from '../ui/page-head.js';
import { adminPath, type Organization, read, type WidgetSettings } from './api.js';
import { Choices, type FormState, NumberField, SavePageLine, TextArea, TextField } from './form.js';
import { CopyField, Part, Select, Shown } from './kit.js';
import { type Reading, useReading } from './reading.js';
import { useRecordForm } from './record.js';

/** The widget's own colour. */
const COLOR = '#4353ff';
/** So many first questions are drawn in the preview. */
const MOST_PREVIEWED = 3;
const HEX = /^#[0-9a-f]{6}$/i;
const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'tr', 'ja', 'zh', 'ar'];

/** The settings as a form has them: what is not chosen is '', a list has one entry a line. */
interface Values {
  name: string;
  greeting: string;
  greets: 'inside' | 'outside';
  greetingAfterSeconds: number;
  greetingPaths: string;
  color: string;
  colorText: string;
  theme: '' | 'auto' | 'light' | 'dark';
  position: '' | 'right' | 'left';
  locale: string;
  sound: 'on' | 'off';
  privacyUrl: string;
  consent: string;
  askName: Asking;
  askEmail: Asking;
  officeHours: string;
  questions: string;
  rating: 'on' | 'off';
}

type Asking = '' | 'optional' | 'required';

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

/** How the chat looks and what it asks, on all sites of the organization. */
function Settings({ stored, organizationName }: { stored: WidgetSettings; organizationName: string }) {
  const text = adminStrings.value;
  const words = text.widget;
  const form = useRecordForm(stored, {
    path: adminPath('/widget'),
    toValues,
    toFields: (values) => ({ ...toSettings(values) }),
    onSaved: () => notify(text.saved),
  });
  const { values } = form;
  return (
    <Part title={text.look} hint={text.lookHint}>
      <form class="form" onSubmit={form.submit}>
        <div class="builder">
          <div class="form">
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
            <div class="pair">
              <Choice
                form={form}
                name="sound"
                label={words.sound}
                choices={[
                  ['on', text.on],
                  ['off', text.off],
                ]}
              />
              <Choice
                form={form}
                name="rating"
                label={words.rating}
                choices={[
                  ['off', text.off],
                  ['on', text.on],
                ]}
              />
            </div>
          </div>
          <Preview values={values} organizationName={organizationName} />
        </div>
        <SavePageLine form={form} />
      </form>
    </Part>
  );
}

/** The colours, the corner and the language. */
function Looks({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  const words = text.widget;
  const { color } = form.values;
  return (
    <>
      <div class="pair">
        <TextField
          form={form}
          name="color"
          label={words.color}
          rule={words.colorRule}
          input={{ maxLength: 64, placeholder: COLOR, dir: 'ltr', spellcheck: false }}
        />
        <label class="field">
          <span class="field-name">{words.pick}</span>
          <input
            type="color"
            value={HEX.test(color) ? color : COLOR}
            onInput={(event) => form.set('color', event.currentTarget.value)}
          />
        </label>
      </div>
      <TextField
        form={form}
        name="colorText"
        label={words.colorText}
        rule={words.colorRule}
        input={{ maxLength: 64, placeholder: words.colorTextAuto, dir: 'ltr', spellcheck: false }}
      />
      <div class="pair">
        <Choice
          form={form}
          name="theme"
          label={words.theme}
          choices={[
            ['', text.themes.auto],
            ['light', text.themes.light],
            ['dark', text.themes.dark],
          ]}
        />
        <Choice
          form={form}
          name="position"
          label={words.position}
          choices={[
            ['', text.lineEnd],
            ['right', text.right],
            ['left', text.leftSide],
          ]}
        />
      </div>
      <Choice form={form} name="locale" label={words.locale} choices={localesWith(form.values.locale)} />
    </>
  );
}

/** Whether the greeting is shown before the chat is opened, after how long, and where. */
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
                rule={fill(text.rangeRule, { min: 0, max: 3_600 })}
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

/** What is asked and said before the first message. */
function Asks({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.widget;
  const choices = [
    ['', words.askNot],
    ['optional', words.askOptional],
    ['required', words.askRequired],
  ] as const;
  return (
    <>
      <div class="pair">
        <Choice form={form} name="askName" label={words.askName} choices={choices} />
        <Choice form={form} name="askEmail" label={words.askEmail} choices={choices} />
      </div>
      <TextField
        form={form}
        name="privacyUrl"
        label={words.privacyUrl}
        rule={words.privacyUrlRule}
        input={{ type: 'url', maxLength: 2_000, dir: 'ltr', placeholder: 'https://www.example.com/privacy' }}
      />
      <TextField form={form} name="consent" label={words.consent} hint={words.consentHint} input={{ maxLength: 500 }} />
    </>
  );
}

interface ChoiceProps<K extends keyof Values> {
  form: FormState<Values>;
  name: K;
  label: string;
  choices: readonly (readonly [value: Values[K] & string, name: string])[];
}

/** One of few. */
function Choice<K extends keyof Values>({ form, name, label, choices }: ChoiceProps<K>) {
  const value = form.values[name] as Values[K] & string;
  return <Select label={label} value={value} choices={choices} onChange={(chosen) => form.set(name, chosen)} />;
}

/** The languages of the widget, and the one that is chosen if it is another. */
function localesWith(chosen: string): [tag: string, name: string][] {
  const names = new Intl.DisplayNames(language.value, { type: 'language' });
  const tags = [...LOCALES, ...(chosen && !LOCALES.includes(chosen) ? [chosen] : [])];
  return [['', adminStrings.value.ofPage], ...tags.map((tag): [string, string] => [tag, names.of(tag) ?? tag])];
}

function toValues(stored: WidgetSettings): Values {
  const { greetingAfterSeconds, sound, rating } = stored;
  return {
    name: stored.name ?? '',
    greeting: stored.greeting ?? '',
    greets: greetingAfterSeconds === null ? 'inside' : 'outside',
    greetingAfterSeconds: greetingAfterSeconds ?? 10,
    greetingPaths: stored.greetingPaths.join('\n'),
    color: stored.color ?? '',
    colorText: stored.colorText ?? '',
    theme: stored.theme === 'auto' ? '' : (stored.theme ?? ''),
    position: stored.position ?? '',
    locale: stored.locale ?? '',
    sound: sound ? 'on' : 'off',
    privacyUrl: stored.privacyUrl ?? '',
    consent: stored.consent ?? '',
    askName: stored.askName ?? '',
    askEmail: stored.askEmail ?? '',
    officeHours: stored.officeHours ?? '',
    questions: stored.questions.join('\n'),
    rating: rating ? 'on' : 'off',
  };
}

function toSettings({ greets, ...values }: Values): WidgetSettings {
  return {
    name: values.name.trim() || null,
    greeting: values.greeting.trim() || null,
    greetingAfterSeconds: greets === 'inside' ? null : values.greetingAfterSeconds,
    greetingPaths: linesOf(values.greetingPaths),
    color: values.color.trim() || null,
    colorText: values.colorText.trim() || null,
    theme: values.theme || null,
    position: values.position || null,
    locale: values.locale || null,
    sound: values.sound === 'on',
    privacyUrl: values.privacyUrl.trim() || null,
    consent: values.consent.trim() || null,
    askName: values.askName || null,
    askEmail: values.askEmail || null,
    officeHours: values.officeHours.trim() || null,
    questions: linesOf(values.questions),
    rating: values.rating === 'on',
  };
}

/** How it looks, as far as it can be chosen here: a drawing, in which nothing can be written. */
function Preview({ values, organizationName }: { values: Values; organizationName: string }) {
  const text = adminStrings.value;
  const drawing = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const { name, greeting, color, colorText, theme, position, questions, officeHours, askName, askEmail } = values;
  const shownQuestions = [...new Set(linesOf(questions))].slice(0, MOST_PREVIEWED);
  const asked = [...(askName ? [text.name] : []), ...(askEmail ? [strings.value.email] : [])];
  useEffect(() => {
    // The Content-Security-Policy allows no style attributes in markup; the CSSOM is allowed.
    const { style } = drawing.current!;
    style.setProperty('--color', CSS.supports('color', color) ? color : COLOR);
    const onColor = textColorOn(getComputedStyle(button.current!).backgroundColor);
    style.setProperty('--color-text', CSS.supports('color', colorText) ? colorText : onColor);
  }, [color, colorText]);
  return (
    <figure class="preview">
      <figcaption class="field-name">{text.preview}</figcaption>
      <div class={`preview-site ${theme || 'auto'}`} ref={drawing} data-position={position || 'right'}>
        <div class="preview-panel">
          <div class="preview-head">
            <bdi>{name.trim() || organizationName}</bdi>
          </div>
          <p dir="auto">{greeting.trim() || text.widgetGreeting}</p>
          {officeHours.trim() && (
            <p class="small" dir="auto">
              {officeHours.trim()}
            </p>
          )}
          {asked.length > 0 && <p class="preview-asked small">{asked.join(' · ')}</p>}
          {(shownQuestions.length > 0 ? shownQuestions : [text.previewOwn]).map((question) => (
            <p key={question} class="preview-own" dir="auto">
              {question}
            </p>
          ))}
        </div>
        <span class="preview-button" ref={button}>
          <Icon name="chats" />
        </span>
      </div>
    </figure>
  );
}

/** The sites on which the chat may be. */
function Origins({ organization, reading }: { organization: Organization; reading: Reading<Organization> }) {
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
    <Part title={text.origins} hint={text.originsHint}>
      <form class="form" onSubmit={form.submit}>
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
    </Part>
  );
}

function linesOf(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
