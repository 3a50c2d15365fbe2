import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Sized, sizeOfText } from '../platform/validation/body-size.js';
import { Nullable } from '../platform/validation/validation-rules.js';
import { Check, findTextFault } from '../platform/validation/validators.js';
import { isWebUrl } from '../platform/lib/web-url.js';

/** The longest address, in characters. */
const MAX_URL_LENGTH = 2_000;

function findAvatarFault(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const fault = findTextFault(value, 1, MAX_URL_LENGTH);
  if (fault) return fault;
  return isWebUrl(value as string, 'https:') ? null : 'must be an https URL without a user name, or null';
}

/** The address of an agent's picture; null removes it. */
export function AvatarUrl(): PropertyDecorator {
  return applyDecorators(
    Nullable(),
    Check('avatarUrl', findAvatarFault),
    Sized(sizeOfText(MAX_URL_LENGTH)),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      maxLength: MAX_URL_LENGTH,
      description: 'An https address without a user name',
    }),
  );
}
