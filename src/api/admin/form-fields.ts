import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { findUnstorable, isJsonObject } from '../../platform/lib/json.js';
import { Sized, sizeOfJson } from '../../platform/validation/body-size.js';
import { findFieldsFault, findTextsFault, type FormField } from '../../platform/validation/form.js';
import { Nullable } from '../../platform/validation/validation-rules.js';
import { Check, findNameFault } from '../../platform/validation/validators.js';
import { FormFieldResponse } from '../widget.dto.js';

const MAX_FIELDS = 6;
const MAX_LABEL_LENGTH = 200;
const MAX_FIELDS_BYTES = 10_000;
/** Seven members, among them 50 options and their labels by name. */
const MAX_FIELDS_VALUES = MAX_FIELDS * 230;
/** What the widget itself stores in a chat's metadata. */
const PAGE_KEYS = ['url', 'title', 'referrer', 'language', 'timeZone', 'screen', 'proactiveMessage'];
const MEMBERS = ['key', 'label', 'type', 'isRequired', 'options', 'optionLabels', 'placeholder'];
const TEXTS = ['label', 'optionLabels', 'placeholder'];

/** The own fields of the form before a chat; null removes them. Faults name the field: `/formFields/1/label`. */
export function FormFields(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Check('formFields', findFormFieldsFault),
    Sized(sizeOfJson(MAX_FIELDS_BYTES, MAX_FIELDS_VALUES)),
    ApiPropertyOptional({
      type: 'array',
      items: { $ref: getSchemaPath(FormFieldResponse) },
      maxItems: MAX_FIELDS,
      nullable: true,
      description: `Asked before the first message of a chat, for its metadata: at most ${MAX_FIELDS} fields and 10,000 bytes of JSON. A key is none of ${PAGE_KEYS.join(', ')}`,
    }),
  );
}

function findFormFieldsFault(value: unknown): string | null {
  const fault = findFieldsFault(value, 0, MAX_FIELDS);
  if (fault) return fault.trimStart();
  for (const [index, field] of (value as FormField[]).entries()) {
    const own = findOwnFault(field);
    if (own) return `/${index}${own}`;
  }
  return findUnstorable(value, MAX_FIELDS_BYTES);
}

/** What a bot's form may have, and this form may not. */
function findOwnFault(field: FormField): string | null {
  if (PAGE_KEYS.includes(field.key)) return `/key must be none of ${PAGE_KEYS.join(', ')}`;
  if (!Object.keys(field).every((name) => MEMBERS.includes(name))) return ` must contain only ${MEMBERS.join(', ')}`;
  const label = findNameFault(field.label.trim(), MAX_LABEL_LENGTH);
  return label && `/label ${label}`;
}

/** Describes what is wrong with the fields' texts in one language, by their keys; null when nothing is. */
export function findFieldTextsFault(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object of texts by the key of their field';
  for (const [key, texts] of Object.entries(value)) {
    if (!isJsonObject(texts) || !Object.keys(texts).every((name) => TEXTS.includes(name)))
      return `/${key} must contain only ${TEXTS.join(', ')}`;
    const fault = findTextsFault(texts);
    if (fault) return `/${key}${fault}`;
  }
  return null;
}
