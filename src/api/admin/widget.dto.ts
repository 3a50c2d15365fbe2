import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { isIP } from 'node:net';
import { isColor, MAX_COLOR_LENGTH } from '../../organizations/color.js';
import {
  type Asking,
  ASKINGS,
  LAUNCHER_ICONS,
  type LauncherIcon,
  type Position,
  POSITIONS,
  type ProactiveMessage,
  type Theme,
  THEMES,
  type Translation,
  type WidgetSettingsChange,
} from '../../organizations/widget-settings.js';
import { isJsonObject } from '../../platform/lib/json.js';
import { isWebUrl } from '../../platform/lib/web-url.js';
import type { FormField } from '../../platform/validation/form.js';
import { AiDisclosureText, ProactiveMessageResponse, TranslationResponse } from '../widget.dto.js';
import { findFieldTextsFault, FormFields } from './form-fields.js';
import {
  faultAt,
  findProactiveMessagesFault,
  findProactiveTextsFault,
  MAX_PROACTIVE_BYTES,
  MAX_PROACTIVE_MESSAGES,
  MAX_PROACTIVE_VALUES,
} from './proactive-messages.js';
import {
  SCALAR,
  Sized,
  sizeOfJson,
  sizeOfList,
  sizeOfObject,
  sizeOfText,
} from '../../platform/validation/body-size.js';
import { Nullable, Trimmed } from '../../platform/validation/validation-rules.js';
import { Check, findNameFault, findTextFault, Name, OneOf, WholeNumber } from '../../platform/validation/validators.js';

const MAX_NAME_LENGTH = 100;
const MAX_GREETING_LENGTH = 1_000;
const MAX_GREETING_SECONDS = 3_600;
const MAX_PATHS = 20;
const MAX_PATH_LENGTH = 200;
const MAX_LOCALE_LENGTH = 35;
const MAX_URL_LENGTH = 2_000;
const MAX_DOMAIN_LENGTH = 253;
const MAX_LINE_LENGTH = 500;
const MAX_DISCLOSURE_LENGTH = 200;
const MAX_QUESTIONS = 6;
const MAX_QUESTION_LENGTH = 80;
const MAX_PERSON_AFTER = 100;
const MAX_TRANSLATIONS = 20;
const MAX_TRANSLATIONS_BYTES = 20_000;
/** Names and texts have at least one character and their quotes: `"a":"b",` are 8 bytes and 3 values. */
const MAX_TRANSLATIONS_VALUES = (MAX_TRANSLATIONS_BYTES * 3) / 8;

/** A setting that null takes back. @param findFault the reason why a text is refused */
function CheckedText(
  name: string,
  max: number,
  findFault: (text: string) => string | null,
  description: string,
): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check(name, (value) => findTextFault(value, 1, max) ?? findFault(value as string)),
    Sized(sizeOfText(max)),
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: max, nullable: true, description }),
  );
}

/** The fault of the first wrong text, beginning with its place. */
function findListFault(value: unknown, most: number, findFault: (text: unknown) => string | null): string | null {
  if (!Array.isArray(value) || value.length > most) return `must be an array of at most ${most} texts`;
  const faults = value.map((text: unknown) => findFault(text));
  const wrong = faults.findIndex((fault) => fault !== null);
  return wrong < 0 ? null : faultAt(`${wrong}`, faults[wrong]!);
}

/** A list of texts that null empties. @param findFault the reason why one is refused */
function TextList(
  most: number,
  max: number,
  description: string,
  findFault: (text: string) => string | null = () => null,
): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('textList', (value) =>
      findListFault(value, most, (text) => findTextFault(text, 1, max) ?? findFault(text as string)),
    ),
    Sized(sizeOfList(most, sizeOfText(max))),
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: max },
      maxItems: most,
      nullable: true,
      description,
    }),
  );
}

function Flag(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Sized(SCALAR),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, nullable: true, description }),
  );
}

const findColorFault = (text: string) =>
  isColor(text) ? null : 'must be a CSS color, such as a name, #4353ff, rgb(67 83 255) or oklch(62% 0.2 260)';

const findPathFault = (text: string) => (text.startsWith('/') ? null : 'must start with /');

function findLocaleFault(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text).length === 1 ? null : 'must be a language tag like en or pt-BR';
  } catch {
    return 'must be a language tag like en or pt-BR';
  }
}

function findUrlFault(text: string): string | null {
  return isWebUrl(text, 'http:', 'https:') ? null : 'must be an http or https URL without a user name';
}

// Browsers refuse a cookie for a whole suffix, such as `co.uk`, themselves.
function findDomainFault(text: string): string | null {
  const address = `https://${text}`;
  const isName = URL.canParse(address) && new URL(address).hostname === text && isIP(text) === 0;
  const labels = text.split('.');
  return isName && labels.length > 1 && labels.every(Boolean)
    ? null
    : 'must be a domain in lower case, like example.com';
}

const TRANSLATED = ['greeting', 'consent', 'questions', 'formFields', 'aiDisclosure', 'proactiveMessages'];

/** The fault of one language's texts, beginning with its place. */
function findTranslationFault(texts: unknown): string | null {
  if (!isJsonObject(texts)) return 'must be an object';
  const unknown = Object.keys(texts).find((name) => !TRANSLATED.includes(name));
  if (unknown !== undefined) return `must contain only ${TRANSLATED.join(', ')}`;
  const { greeting, consent, questions, formFields, aiDisclosure, proactiveMessages } = texts;
  const faults = [
    ['/greeting', greeting === undefined ? null : findNameFault(greeting, MAX_GREETING_LENGTH)],
    ['/consent', consent === undefined ? null : findNameFault(consent, MAX_LINE_LENGTH)],
    ['/questions', questions === undefined ? null : findQuestionsFault(questions)],
    ['/formFields', formFields === undefined ? null : findFieldTextsFault(formFields)],
    ['/aiDisclosure', aiDisclosure === undefined ? null : findDisclosureFault(aiDisclosure)],
    ['/proactiveMessages', proactiveMessages === undefined ? null : findProactiveTextsFault(proactiveMessages)],
  ];
  const [wrong] = faults.filter(([, fault]) => fault !== null);
  return wrong ? wrong.join(wrong[1]!.startsWith('/') ? '' : ' ') : null;
}

const findQuestionsFault = (questions: unknown) =>
  findListFault(questions, MAX_QUESTIONS, (text) => findNameFault(text, MAX_QUESTION_LENGTH));

function findDisclosureFault(disclosure: unknown): string | null {
  if (!isJsonObject(disclosure)) return 'must be an object';
  const { text, ...others } = disclosure;
  if (Object.keys(others).length > 0) return 'must contain only text';
  const fault = text === undefined ? null : findNameFault(text, MAX_DISCLOSURE_LENGTH);
  return fault && `/text ${fault}`;
}

function findTranslationsFault(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object';
  const languages = Object.keys(value);
  if (languages.length > MAX_TRANSLATIONS) return `must have at most ${MAX_TRANSLATIONS} languages`;
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_TRANSLATIONS_BYTES)
    return `must have at most ${MAX_TRANSLATIONS_BYTES} bytes of JSON`;
  for (const language of languages) {
    const fault = language.length > MAX_LOCALE_LENGTH ? 'must be a language tag' : findLocaleFault(language);
    if (fault) return `must have language tags like en or pt-BR as names`;
    const inner = findTranslationFault(value[language]);
    if (inner) return faultAt(language, inner);
  }
  return null;
}

function Translations(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('translations', findTranslationsFault),
    Sized(sizeOfJson(MAX_TRANSLATIONS_BYTES, MAX_TRANSLATIONS_VALUES)),
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { $ref: getSchemaPath(TranslationResponse) },
      nullable: true,
      description:
        'Greeting, consent, questions, form fields, the disclosure of an AI, and proactive messages in other languages, by BCP 47 tag: up to 20, and 20,000 bytes of JSON. What is absent is said as without a language',
    }),
  );
}

const findPathsFault = (value: unknown) =>
  findListFault(value, MAX_PATHS, (path) => findTextFault(path, 1, MAX_PATH_LENGTH) ?? findPathFault(path as string));

const LINE = { optional: true, nullable: true } as const;

/** The body of `PATCH …/widget`: omitted settings stay, null takes one back to its default (CONTRACT: Widget settings). */
export class UpdateWidgetDto implements WidgetSettingsChange {
  @Name(MAX_NAME_LENGTH, { ...LINE, description: 'What the header says; null: the name of the organization' })
  name?: string | null;

  @Name(MAX_GREETING_LENGTH, { ...LINE, description: 'Shown before the visitor’s first word' })
  greeting?: string | null;

  @WholeNumber(0, MAX_GREETING_SECONDS, {
    ...LINE,
    description: 'After so many seconds on a page the greeting is shown beside the closed button; null: it is not',
  })
  greetingAfterSeconds?: number | null;

  @TextList(
    MAX_PATHS,
    MAX_PATH_LENGTH,
    'It is shown so only on pages whose path begins with one of these; empty: on all',
    findPathFault,
  )
  greetingPaths?: string[] | null;

  @Check('proactiveMessages', (value) => findProactiveMessagesFault(value, findPathsFault))
  @Nullable()
  @IsOptional()
  @Sized(sizeOfJson(MAX_PROACTIVE_BYTES, MAX_PROACTIVE_VALUES))
  @ApiPropertyOptional({
    type: [ProactiveMessageResponse],
    maxItems: MAX_PROACTIVE_MESSAGES,
    nullable: true,
    description:
      'Messages beside the closed button: the first one whose rules hold, up to 10, and 20,000 bytes of JSON. Each has an id of its own',
  })
  proactiveMessages?: ProactiveMessage[] | null;

  @CheckedText('color', MAX_COLOR_LENGTH, findColorFault, 'The main color of the widget')
  color?: string | null;

  @CheckedText('color', MAX_COLOR_LENGTH, findColorFault, 'Text on that color; null: black or white')
  colorText?: string | null;

  @OneOf(THEMES, LINE)
  theme?: Theme | null;

  @OneOf(POSITIONS, { ...LINE, description: 'The corner; null: where lines end in the language' })
  position?: Position | null;

  @OneOf(LAUNCHER_ICONS, { ...LINE, description: "The closed button's icon; null: a speech bubble" })
  launcherIcon?: LauncherIcon | null;

  @CheckedText('locale', MAX_LOCALE_LENGTH, findLocaleFault, 'A BCP 47 tag; null: of the page or the browser')
  locale?: string | null;

  @Flag('Whether a message may make a sound; null: true')
  sound?: boolean | null;

  @CheckedText('url', MAX_URL_LENGTH, findUrlFault, 'The page that says what happens with what visitors write')
  privacyUrl?: string | null;

  @Name(MAX_LINE_LENGTH, { ...LINE, description: 'Shown with that link before the first message' })
  consent?: string | null;

  @OneOf(ASKINGS, { ...LINE, description: 'Asked before the first message; null: not asked' })
  askName?: Asking | null;

  @OneOf(ASKINGS, { ...LINE, description: 'Asked before the first message; null: not asked' })
  askEmail?: Asking | null;

  @FormFields()
  formFields?: FormField[] | null;

  @Name(MAX_LINE_LENGTH, LINE)
  officeHours?: string | null;

  @Trimmed()
  @TextList(MAX_QUESTIONS, MAX_QUESTION_LENGTH, 'First questions that a visitor may ask with a click', (text) =>
    findNameFault(text, MAX_QUESTION_LENGTH),
  )
  questions?: string[] | null;

  @Translations()
  translations?: Record<string, Translation> | null;

  @Flag('Whether visitors are asked to rate a chat that has ended; null: false')
  rating?: boolean | null;

  @Flag('Whether visitors can rate each message of a bot, thumbs up or down; null: false')
  messageRating?: boolean | null;

  @WholeNumber(0, MAX_PERSON_AFTER, {
    ...LINE,
    description: 'Visitors may ask for a person after so many messages of bots; 0: always; null: never',
  })
  personAfter?: number | null;

  @Flag('Whether chats and messages contain the visitor’s page, language, time zone, and screen size; null: false')
  pageContext?: boolean | null;

  @CheckedText(
    'domain',
    MAX_DOMAIN_LENGTH,
    findDomainFault,
    "The domain whose subdomains share a visitor's session, by a cookie; null: each site has its own",
  )
  cookieDomain?: string | null;

  @Check('aiDisclosure', findDisclosureFault)
  @Nullable()
  @IsOptional()
  @Sized(sizeOfObject([['text', sizeOfText(MAX_DISCLOSURE_LENGTH)]]))
  @ApiPropertyOptional({
    type: () => AiDisclosureText,
    nullable: true,
    description:
      "What visitors read before the first word of an AI: `text`, up to 200 characters. Null, or without `text`: Parley's own words, in each of its languages",
  })
  aiDisclosure?: { text?: string } | null;
}
