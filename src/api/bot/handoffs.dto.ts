import { ApiProperty } from '@nestjs/swagger';
import { type Owner, OWNERS } from '../../chats/model/chat-status.js';
import { AVAILABILITIES, type Availability } from '../../handoff/availability.js';
import type { AvailabilityView } from '../../handoff/availability.service.js';

/** The agents and the queue of a group (CONTRACT section 8). */
export class AvailabilityResponse implements AvailabilityView {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  groupId!: string;

  @ApiProperty({
    enum: [...AVAILABILITIES],
    description: 'An agent online has room; all who are online are full; none is online and accepting',
  })
  availability!: Availability;

  @ApiProperty({ type: 'integer', description: 'Agents of the group who are online and accepting' })
  onlineAgents!: number;

  @ApiProperty({ type: 'integer', description: 'At most 1,000' })
  waitingChats!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when too few chats were assigned lately to tell' })
  estimatedWaitSeconds!: number | null;

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

export class ReturnResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ enum: [...OWNERS] })
  owner!: Owner;
}
