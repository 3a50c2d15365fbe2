import { useId, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { locale } from '../../locales/strings.js';
import { onceDrawn } from '../../ui/screen.js';
import { WIDGET_LANGUAGES } from '../languages.js';
import type { FormState } from '../form/use-form.js';
import type { FieldDraft, TextsDraft } from './field-drafts.js';
import type { MessageDraft } from './proactive-values.js';
import type { TranslatedTexts, Values } from './widget-values.js';

const NO_TEXTS = {
  greeting: '',
  consent: '',
  questions: '',
  formFields: {},
  aiDisclosure: '',
  proactiveMessages: {},
};

/** The greeting, the consent, the questions, the form fields, and the disclosure of an AI in other languages. */
export function Translations({ form }: { form: FormState<Values> }) {
  const words = adminStrings.value.widget;
  const { translations } = form.values;
  const [chosen, choose] = useState('');
  const list = useRef<HTMLFieldSetElement>(null);
  const nameOf = (language: string) =>
    new Intl.DisplayNames(locale.value, { type: 'language' }).of(language) ?? language;
  const left = WIDGET_LANGUAGES.filter((language) => !translations.some((one) => one.language === language));
  const set = (next: TranslatedTexts[]) => form.set('translations', next);
  const change = (at: number, changed: Partial<TranslatedTexts>) =>
    set(translations.map((one, index) => (index === at ? { ...one, ...changed } : one)));
  const add = () => {
    set([...translations, { language: chosen, ...NO_TEXTS }]);
    choose('');
    onceDrawn(() => list.current?.querySelector<HTMLElement>('.translation:nth-last-of-type(1) textarea')?.focus());
  };
  return (
    <fieldset class="field translations" ref={list}>
      <legend class="field-name">{words.translations}</legend>
      <p class="hint small">{words.translationsHint}</p>
      {form.faults.translations && (
        <p class="fault small">{fill(adminStrings.value.refused, { detail: form.faults.translations })}</p>
      )}
      {translations.map((texts, at) => (
        <Texts
          key={texts.language}
          texts={texts}
          fields={form.values.formFields}
          language={nameOf(texts.language)}
          messages={form.values.proactiveMessages}
          onChange={(changed) => change(at, changed)}
          onRemove={() => set(translations.filter((_, index) => index !== at))}
        />
      ))}
      {left.length > 0 && (
        <div class="side-by-side">
          <select aria-label={words.addLanguage} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">{words.addLanguage}</option>
            {left.map((language) => (
              <option key={language} value={language}>
                {nameOf(language)}
              </option>
            ))}
          </select>
          <button type="button" class="button" disabled={chosen === ''} onClick={add}>
            {words.add}
          </button>
        </div>
      )}
    </fieldset>
  );
}

interface TextsProps {
  texts: TranslatedTexts;
  /** The fields of the form before a chat. */
  fields: readonly FieldDraft[];
  /** Its name. */
  language: string;
  messages: readonly MessageDraft[];
  onChange: (changed: Partial<TranslatedTexts>) => void;
  onRemove: () => void;
}

function Texts({ texts, fields, language, messages, onChange, onRemove }: TextsProps) {
  const words = adminStrings.value.widget;
  return (
    <fieldset class="form translation">
      <legend class="field-name">
        <bdi>{language}</bdi>
      </legend>
      <Area label={words.greeting} value={texts.greeting} max={1_000} onInput={(greeting) => onChange({ greeting })} />
      <Area
        label={words.questions}
        value={texts.questions}
        max={600}
        onInput={(questions) => onChange({ questions })}
      />
      <Area label={words.consent} value={texts.consent} max={500} onInput={(consent) => onChange({ consent })} />
      <Area
        label={words.aiDisclosure}
        value={texts.aiDisclosure}
        max={200}
        onInput={(aiDisclosure) => onChange({ aiDisclosure })}
      />
      {fields.map((field) => (
        <FieldTexts
          key={field.id}
          field={field}
          texts={texts.formFields[field.id]}
          onChange={(changed) => onChange({ formFields: { ...texts.formFields, [field.id]: changed } })}
        />
      ))}
      {messages.map(({ draftId }, at) => (
        <Area
          key={at}
          label={fill(adminStrings.value.proactive.message, { number: at + 1 })}
          value={texts.proactiveMessages[draftId] ?? ''}
          max={1_000}
          onInput={(text) => onChange({ proactiveMessages: { ...texts.proactiveMessages, [draftId]: text } })}
        />
      ))}
      <button type="button" class="button small" onClick={onRemove}>
        {fill(words.removeLanguage, { language })}
      </button>
    </fieldset>
  );
}

const NO_FIELD_TEXTS: TextsDraft = { label: '', options: '', placeholder: '' };

interface FieldTextsProps {
  field: FieldDraft;
  texts?: TextsDraft;
  onChange: (texts: TextsDraft) => void;
}

/** What a field asks in this language. */
function FieldTexts({ field: { label, type, placeholder }, texts = NO_FIELD_TEXTS, onChange }: FieldTextsProps) {
  const words = adminStrings.value.widget.ownFields;
  const change = (changed: Partial<TextsDraft>) => onChange({ ...texts, ...changed });
  const nameOf = (part: string) => `${label}: ${part}`;
  return (
    <>
      <Area label={nameOf(words.label)} value={texts.label} max={200} onInput={(value) => change({ label: value })} />
      {type === 'select' && (
        <Area
          label={nameOf(words.translatedOptions)}
          value={texts.options}
          max={10_000}
          onInput={(options) => change({ options })}
        />
      )}
      {placeholder && (
        <Area
          label={nameOf(words.placeholder)}
          value={texts.placeholder}
          max={200}
          onInput={(value) => change({ placeholder: value })}
        />
      )}
    </>
  );
}

interface AreaProps {
  label: string;
  value: string;
  max: number;
  onInput: (value: string) => void;
}

function Area({ label, value, max, onInput }: AreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class="field-name">
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        dir="auto"
        maxLength={max}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
