import { adminStrings } from '../../locales/admin-strings.js';
import { language } from '../../locales/strings.js';
import type { FormState } from '../form/use-form.js';
import { Icon } from '../../ui/parts/icon.js';
import { TextField } from '../form/fields.js';
import { Select } from '../parts/filter.js';
import { contrastOf } from './contrast.js';
import type { Values } from './widget-values.js';

/** The contrast that text needs to be readable (WCAG 1.4.3). */
const MIN_CONTRAST = 4.5;

/** The widget's default color. */
const COLOR = '#4353ff';

const HEX = /^#[0-9a-f]{6}$/i;

const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'tr', 'ja', 'zh', 'zh-Hant', 'ar'];

/** Colors, theme, position, icon, and language. */
export function Looks({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.widget;
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
      {isFaint(color || COLOR, form.values.colorText) && (
        <p class="warning small" role="status">
          <Icon name="alert" />
          {words.faint}
        </p>
      )}
      <Arrangement form={form} />
    </>
  );
}

/** Whether text of this color can hardly be read on the other one. Without a text color, the widget chooses one that can. */
function isFaint(color: string, text: string): boolean {
  return text.trim() !== '' && contrastOf(color, text) < MIN_CONTRAST;
}

/** Theme, position, icon, and language. */
function Arrangement({ form }: { form: FormState<Values> }) {
  const text = adminStrings.value;
  const words = text.widget;
  return (
    <>
      <ChoicePair
        form={form}
        fields={[
          {
            name: 'theme',
            label: words.theme,
            choices: [
              ['', text.themes.auto],
              ['light', text.themes.light],
              ['dark', text.themes.dark],
            ],
          },
          {
            name: 'position',
            label: words.position,
            choices: [
              ['', text.lineEnd],
              ['right', text.right],
              ['left', text.leftSide],
            ],
          },
        ]}
      />
      <ChoiceField
        form={form}
        field={{
          name: 'launcherIcon',
          label: words.launcherIcon,
          choices: [
            ['', words.icons.chat],
            ['question', words.icons.question],
            ['headset', words.icons.headset],
            ['smile', words.icons.smile],
            ['sparkles', words.icons.sparkles],
          ],
        }}
      />
      <ChoiceField
        form={form}
        field={{ name: 'locale', label: words.locale, choices: localesWith(form.values.locale) }}
      />
    </>
  );
}

/** A field with few values, and the names of these. */
type Choice = {
  [K in keyof Values]: {
    name: K;
    label: string;
    choices: readonly (readonly [value: Values[K] & string, name: string])[];
  };
}[keyof Values];

interface ChoiceFieldProps {
  form: FormState<Values>;
  field: Choice;
}

export function ChoiceField({ form, field: { name, label, choices } }: ChoiceFieldProps) {
  const value = form.values[name] as string;
  return (
    <Select label={label} value={value} choices={choices} onChange={(chosen) => form.set(name, chosen as never)} />
  );
}

/** Fields with few values, side by side. */
export function ChoicePair({ form, fields }: { form: FormState<Values>; fields: readonly [Choice, Choice] }) {
  return (
    <div class="pair">
      {fields.map((field) => (
        <ChoiceField key={field.name} form={form} field={field} />
      ))}
    </div>
  );
}

/** The widget's languages, and the chosen one if it's another. */
function localesWith(chosen: string): [tag: string, name: string][] {
  const names = new Intl.DisplayNames(language.value, { type: 'language' });
  const tags = [...LOCALES, ...(chosen && !LOCALES.includes(chosen) ? [chosen] : [])];
  return [['', adminStrings.value.ofPage], ...tags.map((tag): [string, string] => [tag, names.of(tag) ?? tag])];
}
