import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { findChoiceFault, MAX_CHOICE, MAX_PICTURE_BYTES } from '../pictures/picture-choice.js';
import { Sized } from '../platform/validation/body-size.js';
import { Nullable } from '../platform/validation/validation-rules.js';
import { Check } from '../platform/validation/validators.js';

const CHOICE =
  `A PNG, JPEG, or WebP picture of at most ${MAX_PICTURE_BYTES} bytes: as a \`data:\` URL in base64, or its address, which Parley ` +
  'fetches now. Parley serves it at the address that it answers. Null: none';

/** The limits of a route whose body may name a picture that is fetched. */
export const WITH_PICTURE = { deadlineMs: 20_000 };

/** The picture of an agent, or of an organization's e-mails; null removes it (CONTRACT: Pictures). */
export function PictureUrl(): PropertyDecorator {
  return applyDecorators(
    Nullable(),
    Check('pictureUrl', findChoiceFault),
    // Some clients escape each slash of base64, which is about every 64th character.
    Sized({ bytes: Math.ceil(MAX_CHOICE * 1.05), values: 1 }),
    ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_CHOICE, description: CHOICE }),
  );
}
