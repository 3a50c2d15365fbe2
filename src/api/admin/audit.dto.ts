import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { FieldChange } from '../../auth/audit/audit-changes.js';
import { Check, findTimeFault, OneOf, Text } from '../../platform/validation/validators.js';
import { ByteOrderMark } from '../../platform/validation/byte-order-mark.js';
import { isId, MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../auth/audit/audit-action.js';
import type { AuditFilter, AuditRow } from '../../auth/audit/audit.queries.js';
import type { Actor } from '../../auth/context/request-context.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

/** What an actor without an id is called in a filter. */
const ACTORS: Record<string, string> = { ADMIN_TOKEN: 'ADMIN', SYSTEM: 'SYSTEM' };

function findActorFault(value: unknown): string | null {
  const isKnown =
    typeof value === 'string' && (Object.hasOwn(ACTORS, value) || (/^(?:agt|opr)_/.test(value) && isId(value)));
  return isKnown ? null : 'must be the id of an agent or an operator, ADMIN_TOKEN, or SYSTEM';
}

function Moment(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('time', findTimeFault),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );
}

/** Filters entries of the audit log; all given fields must match. */
export class AuditFilterQuery {
  @OneOf(AUDIT_ACTIONS, { optional: true })
  action?: AuditAction;

  @IsOptional()
  @Check('actor', findActorFault)
  @ApiPropertyOptional({ type: String, description: 'The id of an agent or an operator, `ADMIN_TOKEN`, or `SYSTEM`' })
  actor?: string;

  @Text(1, MAX_ID_LENGTH, { optional: true, description: 'The id of what was changed' })
  target?: string;

  @Moment('From this time on')
  from?: string;

  @Moment('Before this time')
  to?: string;
}

export class AuditQuery extends IntersectionType(AuditFilterQuery, PageQuery) {}

export class AuditExportQuery extends AuditFilterQuery {
  @ByteOrderMark()
  bom?: 'true';
}

export function toAuditFilter({ action, actor, target, from, to }: AuditFilterQuery): AuditFilter {
  return {
    action,
    actor: actor && (ACTORS[actor] ?? actor),
    target,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

export class AuditActorResponse {
  @ApiProperty({ enum: ['BOT', 'AGENT', 'VISITOR', 'ADMIN', 'SYSTEM'] })
  type!: Actor['type'];

  @TextOrNull({ description: 'Null for `ADMIN_TOKEN`' })
  id!: string | null;

  @TextOrNull()
  name!: string | null;
}

const VALUE: ApiPropertyOptions = {
  description: 'As the API answers it; null where there was or is none; up to 2,000 characters',
  nullable: true,
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: {} },
  ],
};

class FieldChangeResponse implements FieldChange {
  @ApiProperty()
  field!: string;

  @ApiProperty(VALUE)
  from!: unknown;

  @ApiProperty(VALUE)
  to!: unknown;
}

class AuditEntryResponse implements AuditRow {
  @ApiProperty({ example: 'aud_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @Time()
  at!: Date;

  @ApiProperty({ type: () => AuditActorResponse })
  actor!: AuditActorResponse;

  @ApiProperty({ enum: [...AUDIT_ACTIONS] })
  action!: AuditAction;

  @TextOrNull({ description: 'The id of what was changed' })
  target!: string | null;

  @TextOrNull({ description: 'Its name at that time; null for a visitor' })
  targetName!: string | null;

  @ApiProperty({ type: () => [FieldChangeResponse], description: 'Field by field; never a secret' })
  changes!: FieldChange[];

  @TextOrNull()
  sourceAddress!: string | null;
}

export class AuditResponse {
  @ApiProperty({ type: () => [AuditEntryResponse] })
  entries!: AuditEntryResponse[];

  @NextCursor()
  nextCursor!: string | null;
}
