import { ApiProperty } from '@nestjs/swagger';
import {
  INSTALLATION_ACTIONS,
  type EntryDetails,
  type InstallationAction,
} from '../../auth/audit/installation-action.js';
import type { InstallationEntry } from '../../auth/audit/installation-entry.entity.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { OneOf, Text } from '../../platform/validation/validators.js';
import { AuditActorResponse } from './audit.dto.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

export class InstallationAuditQuery extends PageQuery {
  @OneOf(INSTALLATION_ACTIONS, { optional: true })
  action?: InstallationAction;

  @Text(1, MAX_ID_LENGTH, { optional: true, description: 'The id of the organization or the operator' })
  target?: string;
}

class InstallationEntryResponse {
  @ApiProperty({ example: 'aud_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @Time()
  at!: Date;

  @ApiProperty({ type: () => AuditActorResponse })
  actor!: AuditActorResponse;

  @ApiProperty({ enum: [...INSTALLATION_ACTIONS] })
  action!: InstallationAction;

  @ApiProperty({ description: 'The id of the organization or the operator' })
  target!: string;

  @TextOrNull({ description: 'Its name at that time' })
  targetName!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { nullable: true, anyOf: [{ type: 'string' }, { type: 'number' }] },
    description: 'Of a deletion `removeAt`; of a removal the number of rows by their kind; of an operator `expiresAt`',
  })
  details!: EntryDetails;
}

export class InstallationAuditResponse {
  @ApiProperty({ type: () => [InstallationEntryResponse] })
  entries!: InstallationEntryResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toInstallationEntry(row: InstallationEntry): InstallationEntryResponse {
  const { id, at, actorType: type, actorId, actorName: name, action, target, targetName, details } = row;
  const actor = { type, id: actorId, name };
  return { id, at, actor, action, target, targetName, details: details ?? {} };
}
