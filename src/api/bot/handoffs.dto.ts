import { ApiProperty } from '@nestjs/swagger';
import { type Owner, OWNERS } from '../../chats/model/chat-status.js';
import type { AvailabilityView } from '../../handoff/availability.service.js';
import { StaffingResponse } from '../availability.dto.js';

/** The agents and the queue of a group (CONTRACT: Transfers). */
export class AvailabilityResponse extends StaffingResponse implements AvailabilityView {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  groupId!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when too few chats were assigned lately to tell' })
  estimatedWaitSeconds!: number | null;
}

export class ReturnResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ enum: [...OWNERS] })
  owner!: Owner;
}
