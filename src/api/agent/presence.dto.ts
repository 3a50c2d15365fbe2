import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { Presence } from '../../agents/presence.queries.js';

/** The body of `PUT /api/agent/presence`. */
export class PresenceDto {
  @ApiProperty({ type: Boolean, description: 'Whether routing may give you chats; kept until you change it' })
  @IsBoolean({ message: 'must be a boolean' })
  isAccepting!: boolean;
}

export class PresenceResponse extends PresenceDto {
  @ApiProperty({ enum: ['ONLINE', 'PAUSED', 'OFFLINE'], description: '`OFFLINE` without a connected socket' })
  presence!: Presence;
}
