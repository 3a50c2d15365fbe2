import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '../../platform/lib/paging.js';
import { Text } from '../../platform/http/validators.js';
import { NextCursor, TextOrNull, Time } from './answer-fields.js';

/** Filters visitors; all given fields must match. */
export class VisitorsQuery extends PageQuery {
  @Text(1, 320, { optional: true })
  email?: string;

  @Text(1, 255, { optional: true })
  externalId?: string;
}

export class VisitorResponse {
  @ApiProperty({ example: 'vis_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @TextOrNull({ description: 'The id that your own server signed' })
  externalId!: string | null;

  @TextOrNull()
  name!: string | null;

  @TextOrNull()
  email!: string | null;

  @ApiProperty({ description: 'Whether `name` and `email` came with an identity that your own server signed' })
  isVerified!: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: object;

  @Time()
  createdAt!: Date;
}

export class VisitorsResponse {
  @ApiProperty({ type: () => [VisitorResponse] })
  visitors!: VisitorResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export class VisitorExportResponse {
  @ApiProperty({ type: () => VisitorResponse })
  visitor!: VisitorResponse;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'With all messages',
  })
  chats!: object[];
}
