import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { EntityManager } from 'typeorm';
import { changesBetween } from '../../auth/audit/audit-changes.js';
import type { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { findPictureFault, MAX_PICTURE_BYTES, MAX_PICTURE_SIDE } from '../../organizations/picture.js';
import type { PictureNames } from '../../organizations/widget-settings.queries.js';
import { Sized, sizeOfBytes } from '../../platform/validation/body-size.js';
import { Check } from '../../platform/validation/validators.js';

const MAX_LENGTH = Math.ceil(MAX_PICTURE_BYTES / 3) * 4;

function findContentFault(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_LENGTH) return `must have at most ${MAX_PICTURE_BYTES} bytes`;
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? findPictureFault(bytes) : 'must be base64';
}

function Content(): PropertyDecorator {
  return applyDecorators(
    Check('picture', findContentFault),
    Sized(sizeOfBytes(MAX_LENGTH)),
    ApiProperty({
      type: String,
      format: 'byte',
      maxLength: MAX_LENGTH,
      description: `A PNG or a WebP picture in base64: at most ${MAX_PICTURE_BYTES} bytes, and ${MAX_PICTURE_SIDE} by ${MAX_PICTURE_SIDE} pixels`,
    }),
  );
}

/** The body of `PUT …/widget/pictures/{place}`. */
export class PictureDto {
  @Content()
  content!: string;
}

/** The names of the chosen pictures. */
export class PicturesResponse implements PictureNames {
  @ApiProperty({ type: String, nullable: true, description: 'Of the button; null: none' })
  launcher!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of bots; null: none' })
  bot!: string | null;
}

/** Records a change of the pictures. */
export function recordingOf(audit: AuditService, context: RequestContext) {
  const view = ({ launcher, bot }: PictureNames) => ({ launcherPicture: launcher, botPicture: bot });
  return async (tx: EntityManager, before: PictureNames, after: PictureNames) => {
    const changes = changesBetween(view(before), view(after));
    const entry = { action: 'widget.changed', target: context.organizationId, targetName: null, changes } as const;
    if (changes.length > 0) await audit.record(context, entry, tx);
  };
}
