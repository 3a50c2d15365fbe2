import { ApiProperty } from '@nestjs/swagger';
import { AUDIT_ACTIONS, type AuditAction } from '../../auth/audit-action.js';
import type { AuditRow } from '../../auth/audit.queries.js';
import type { Actor } from '../../auth/request-context.js';
import { NextCursor, TextOrNull, Time } from './answer-fields.js';

class AuditActorResponse {
  @ApiProperty({ enum: ['BOT', 'AGENT', 'VISITOR', 'ADMIN', 'SYSTEM'] })
  type!: Actor['type'];

  @TextOrNull({ description: 'Null for `ADMIN_TOKEN`' })
  id!: string | null;

  @TextOrNull()
  name!: string | null;
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

  @TextOrNull({ description: 'The id of the agent or visitor' })
  target!: string | null;

  @TextOrNull()
  sourceAddress!: string | null;
}

export class AuditResponse {
  @ApiProperty({ type: () => [AuditEntryResponse] })
  entries!: AuditEntryResponse[];

  @NextCursor()
  nextCursor!: string | null;
}
