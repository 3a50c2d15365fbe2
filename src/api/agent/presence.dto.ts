import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { type Break, BREAKS, PAUSE_REASONS, type PauseReason } from '../../agents/pause-reason.js';
import type { AgentPresence, Presence } from '../../agents/presence.queries.js';
import { Check, OneOf } from '../../platform/validation/validators.js';

/** The body of `PUT /api/agent/presence`. */
export class PresenceDto {
  @ApiProperty({ type: Boolean, description: 'Whether routing may give you chats; kept until you change it' })
  @IsBoolean({ message: 'must be a boolean' })
  isAccepting!: boolean;

  @OneOf(BREAKS, { optional: true, description: 'Why you pause; colleagues see it. Omitted: no reason' })
  @Check('onlyPaused', (_reason, { isAccepting }: Partial<PresenceDto>) =>
    isAccepting === true ? 'needs isAccepting: false' : null,
  )
  reason?: Break;
}

export class PresenceResponse {
  @ApiProperty({ type: Boolean })
  isAccepting!: boolean;

  @ApiProperty({ enum: ['ONLINE', 'PAUSED', 'OFFLINE'], description: '`OFFLINE` without a connected socket' })
  presence!: Presence;

  @ApiProperty({ enum: PAUSE_REASONS, nullable: true, description: 'Why you are paused' })
  reason!: PauseReason | null;
}

export function toPresenceResponse({ isAccepting, presence, reason }: AgentPresence): PresenceResponse {
  return { isAccepting, presence, reason };
}
