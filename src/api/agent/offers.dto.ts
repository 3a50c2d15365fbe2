import { ApiProperty } from '@nestjs/swagger';
import type { OfferView } from '../../inbox/views/inbox.service.js';
import { ChatRowResponse } from './chats.dto.js';

export class OfferResponse implements OfferView {
  @ApiProperty({ example: 'off_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: () => ChatRowResponse })
  chat!: ChatRowResponse;

  @ApiProperty({ type: String, format: 'date-time' })
  expiresAt!: string;
}

export class OffersResponse {
  @ApiProperty({ type: () => [OfferResponse], description: 'Up to 100, soonest expiry first' })
  offers!: OfferResponse[];

  @ApiProperty({ type: String, enum: [null], nullable: true, description: 'Always null: there is one page' })
  nextCursor!: null;
}
