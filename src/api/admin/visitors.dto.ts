import { ApiProperty } from '@nestjs/swagger';
import { Check, SearchCursor, Text } from '../../platform/validation/validators.js';
import type { TextPosition } from '../../platform/lib/cursor.js';
import { PageSizeQuery } from '../../platform/validation/paging.js';
import type { VisitorSearch } from '../../visitors/visitor-search.queries.js';
import type { VisitorFilter } from '../../visitors/visitors.queries.js';
import { ChatStateResponse } from '../chat-state.dto.js';
import { MessageResponse } from '../messages.dto.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

/** Filters visitors; all given fields must match. */
export class VisitorsQuery extends PageSizeQuery {
  @Text(1, 320, {
    optional: true,
    description: 'How the email, the name, the last word of the name or the `externalId` begins; not with a filter',
  })
  @Check('alone', findFilter)
  search?: string;

  @Text(1, 320, { optional: true })
  email?: string;

  @Text(1, 255, { optional: true })
  externalId?: string;

  @SearchCursor()
  cursor?: string | TextPosition;
}

function findFilter(search: unknown, query: object): string | null {
  const { email, externalId } = query as VisitorsQuery;
  return search === undefined || (email === undefined && externalId === undefined)
    ? null
    : 'must not be given together with email or externalId';
}

export function toVisitorQuery({
  search,
  email,
  externalId,
  cursor,
  limit,
}: VisitorsQuery): VisitorFilter | VisitorSearch {
  return search === undefined
    ? { email, externalId, after: cursor as string | undefined, limit }
    : { text: search, after: cursor as TextPosition | undefined, limit };
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

class BotStateResponse {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  botId!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  state!: object;

  @Time()
  updatedAt!: Date;
}

class ExportedChatResponse extends ChatStateResponse {
  @ApiProperty({ type: () => [MessageResponse], description: 'All of them, in order' })
  messages!: MessageResponse[];

  @ApiProperty({ type: () => [BotStateResponse], description: 'What bots keep about the chat' })
  botStates!: BotStateResponse[];
}

export class VisitorExportResponse {
  @ApiProperty({ type: () => VisitorResponse })
  visitor!: VisitorResponse;

  @ApiProperty({ type: () => [ExportedChatResponse] })
  chats!: ExportedChatResponse[];
}
