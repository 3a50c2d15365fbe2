import { isJsonObject } from '../../platform/lib/json.js';
import { isWebUrl } from '../../platform/lib/web-url.js';
import { findTextFault } from '../../platform/validation/validators.js';
import { findFieldsFault, type FormField } from '../../platform/validation/form.js';

const MAX_CARDS = 10;
const MAX_BUTTONS = 5;
const MAX_FIELDS = 10;
const MAX_URL = 2_048;
/** The `value` of an answer to a form. */
const FORM_VALUE = 'form';

/**
 * Describes what is wrong with the options, cards, and form of a message, by a pointer below its metadata; null when nothing is.
 * Options are checked of a QUICK_REPLY alone, cards and forms of a BUTTON alone (CONTRACT: Messages).
 */
export function findOffersFault(type: unknown, metadata: unknown): string | null {
  const { options, cards, form } = isJsonObject(metadata) ? metadata : {};
  if (type === 'QUICK_REPLY') return findOptionsFault(options);
  if (type !== 'BUTTON') return null;
  if (form === undefined) return cards === undefined ? null : findCardsFault(cards);
  return options === undefined && cards === undefined
    ? findFormFault(form)
    : '/form cannot be combined with options or cards';
}

function findOptionsFault(options: unknown): string | null {
  if (!Array.isArray(options) || options.length === 0) {
    return '/options must be a non-empty array of {label, value} for a QUICK_REPLY';
  }
  const wrong = options.findIndex((option) => !isChoice(option));
  return wrong < 0 ? null : `/options/${wrong} must have a label and a value that are strings`;
}

function isChoice(option: unknown): boolean {
  return isJsonObject(option) && typeof option.label === 'string' && typeof option.value === 'string';
}

function findCardsFault(cards: unknown): string | null {
  if (!Array.isArray(cards) || cards.length === 0 || cards.length > MAX_CARDS)
    return `/cards must be an array of 1 to ${MAX_CARDS} cards`;
  for (const [index, card] of cards.entries()) {
    const fault = findCardFault(card);
    if (fault) return `/cards/${index}${fault}`;
  }
  return null;
}

function findCardFault(card: unknown): string | null {
  if (!isJsonObject(card)) return ' must be {title, text?, image?, url?, options?}';
  const { title, text, image, url, options } = card;
  return (
    below('/title', findTextFault(title, 1, 200)) ??
    below('/text', text === undefined ? null : findTextFault(text, 1, 1_000)) ??
    below('/url', url === undefined ? null : findUrlFault(url)) ??
    findImageFault(image) ??
    findButtonsFault(options)
  );
}

function findImageFault(image: unknown): string | null {
  if (image === undefined) return null;
  if (!isJsonObject(image)) return '/image must be {url, alt?}';
  const { url, alt } = image;
  return (
    below('/image/url', findUrlFault(url)) ?? below('/image/alt', alt === undefined ? null : findTextFault(alt, 1, 200))
  );
}

function findButtonsFault(options: unknown): string | null {
  if (options === undefined) return null;
  if (!Array.isArray(options) || options.length > MAX_BUTTONS)
    return `/options must be an array of at most ${MAX_BUTTONS}`;
  const wrong = options.findIndex((option) => !isChoice(option) && !isLink(option));
  return wrong < 0 ? null : `/options/${wrong} must be {label, value} or {label, url}`;
}

function isLink(option: unknown): boolean {
  return isJsonObject(option) && typeof option.label === 'string' && findUrlFault(option.url) === null;
}

function findUrlFault(url: unknown): string | null {
  return (
    findTextFault(url, 1, MAX_URL) ?? (isWebUrl(url as string, 'http:', 'https:') ? null : 'must be an http(s) URL')
  );
}

function findFormFault(form: unknown): string | null {
  if (!isJsonObject(form)) return '/form must be {fields, title?, submit?}';
  const { title, submit, fields } = form;
  const fault =
    below('/title', title === undefined ? null : findTextFault(title, 1, 200)) ??
    below('/submit', submit === undefined ? null : findTextFault(submit, 1, 60));
  if (fault) return `/form${fault}`;
  const ofFields = findFieldsFault(fields, 1, MAX_FIELDS);
  return ofFields && `/form/fields${ofFields}`;
}

function below(pointer: string, fault: string | null): string | null {
  return fault && `${pointer} ${fault}`;
}

/** Whether a message's metadata offers this value: among its options or its cards', or `form` if it has a form. */
export function offers(metadata: unknown, value: string): boolean {
  if (formOf(metadata)) return value === FORM_VALUE;
  const { options, cards } = isJsonObject(metadata) ? metadata : {};
  const ofCards = Array.isArray(cards) ? cards.map((card) => (isJsonObject(card) ? card.options : undefined)) : [];
  return [options, ...ofCards].some(
    (list) => Array.isArray(list) && list.some((option) => isJsonObject(option) && option.value === value),
  );
}

/** The fields of a message's form; undefined without one. A form that was stored before forms were checked doesn't count. */
export function formOf(metadata: unknown): FormField[] | undefined {
  const form = isJsonObject(metadata) ? metadata.form : undefined;
  return isJsonObject(form) && findFormFault(form) === null ? (form.fields as FormField[]) : undefined;
}
