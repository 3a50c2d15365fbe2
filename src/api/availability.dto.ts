import { ApiProperty } from '@nestjs/swagger';
import { AVAILABILITIES, type Availability } from '../handoff/availability.js';

/** How a group is staffed right now. */
export abstract class StaffingResponse {
  @ApiProperty({
    enum: [...AVAILABILITIES],
    description: 'Whether a member is online and has room; online, but full; or not online',
  })
  availability!: Availability;

  @ApiProperty({ type: 'integer', description: 'The members who are online and accept chats' })
  onlineAgents!: number;

  @ApiProperty({ type: 'integer', maximum: 1000, description: 'Up to 1,000' })
  waitingChats!: number;

  @ApiProperty({ description: 'Whether it is within the office hours. Outside of them, the group is `OFFLINE`' })
  isOpen!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it opens; null while it is open, and if it never opens',
  })
  nextOpening!: string | null;
}
