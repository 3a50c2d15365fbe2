import { ApiProperty } from '@nestjs/swagger';
import type { TransferRequest, TransferResult } from '../../handoff/transfer.service.js';
import { Text } from '../../platform/http/validators.js';

/** The body of `POST /api/bot/transfer` (CONTRACT section 2). */
export class TransferDto implements TransferRequest {
  @Text(1, 64, { example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @Text(1, 64, { optional: true, description: 'Omitted: the default group', example: 'grp_01h455vb4pex5vsknk084sn02q' })
  targetGroupId?: string;

  @Text(0, 500, { optional: true, description: 'Why, for the agent who takes it', example: 'Wants a refund' })
  reason?: string;
}

export class TransferResponse implements TransferResult {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ enum: ['QUEUED'] })
  newStatus!: 'QUEUED';

  @ApiProperty({ type: String, nullable: true, description: 'Always null: it waits for an agent', example: null })
  assignedTo!: null;

  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  groupId!: string;
}
