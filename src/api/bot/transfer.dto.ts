import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { FailureCause } from '../../chats/model/handoff.entity.js';
import { ON_UNANSWERED, type OnUnanswered } from '../../groups/routing.js';
import { AVAILABILITIES, type Availability } from '../../handoff/availability.js';
import type { TransferHandoff, TransferRequest, TransferResult } from '../../handoff/transfer.service.js';
import { Check, Nested, OneOf, Text, WholeNumber } from '../../platform/validation/validators.js';

/** A chat that another bot gets doesn't wait for an agent. */
const OF_A_WAIT = ['cause', 'ifUnavailable', 'maxWaitSeconds', 'onUnanswered'] as const;

function findTargetFault(value: unknown, { ...body }: Partial<TransferDto>): string | null {
  const wrong = value == null ? undefined : OF_A_WAIT.find((name) => body[name] != null);
  return wrong === undefined ? null : `must not be given together with ${wrong}, which is about waiting for an agent`;
}

/** The error that makes a bot transfer a chat. */
export class FailureCauseDto implements FailureCause {
  @Text(1, 100, { description: "The error's name, which is counted in the metrics", example: 'TimeoutError' })
  name!: string;

  @Text(0, 500, { description: "The error's message", example: 'The model did not answer in 60 s' })
  message!: string;
}

/** The body of `POST /api/bot/transfer` (CONTRACT: Transfers). */
export class TransferDto implements TransferRequest {
  @Text(1, 64, { example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @Text(1, 64, { optional: true, description: 'Omitted: the default group', example: 'grp_01h455vb4pex5vsknk084sn02q' })
  targetGroupId?: string;

  @Text(1, 64, {
    optional: true,
    description:
      "The bot that gets the chat, instead of agents. A group must name it; `targetGroupId` chooses one of several. An agent's chat: 409 `not_owner`",
    example: 'bot_01h455vb4pex5vsknk084sn02q',
  })
  @Check('target', findTargetFault)
  targetBotId?: string;

  @Text(0, 500, { optional: true, description: 'Why; the visitor sees it too', example: 'Wants a refund' })
  reason?: string;

  @OneOf(['BOT'], {
    optional: true,
    description:
      'Transfer the chat only if the bots have it; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`',
  })
  ifOwner?: 'BOT';

  @OneOf(['QUEUE', 'FAIL'], {
    optional: true,
    description: '`FAIL`: 409 `nobody_available`, and nothing changes, when no agent of the group is online with room',
  })
  ifUnavailable?: 'QUEUE' | 'FAIL';

  @WholeNumber(0, 86_400, {
    optional: true,
    description: 'After how many seconds the chat is unanswered; 0: never. Omitted: as the group says',
  })
  maxWaitSeconds?: number;

  @OneOf(ON_UNANSWERED, { optional: true, description: 'What happens then. Omitted: as the group says' })
  onUnanswered?: OnUnanswered;

  @Text(0, 2_000, {
    optional: true,
    description: 'What the agents, or the other bot, should know; the visitor never sees it',
  })
  summary?: string;

  @Nested(() => FailureCauseDto, {
    optional: true,
    description:
      'The error that makes the bot transfer the chat. Agents see it; visitors and webhooks never do. It is not compared when an `Idempotency-Key` is used again',
  })
  cause?: FailureCauseDto;
}

export class TransferHandoffResponse implements TransferHandoff {
  @ApiProperty({ example: 'hof_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...AVAILABILITIES] })
  availability!: Availability;

  @ApiProperty({ type: 'integer', description: 'The position in the queue, from 1 to 1,000' })
  position!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when too few chats were assigned lately to tell' })
  estimatedWaitSeconds!: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the group opens; null while it is open, and if it never opens',
  })
  nextOpening!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it is unanswered; null: never' })
  expiresAt!: string | null;
}

export class TransferResponse implements TransferResult {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ enum: ['QUEUED', 'ACTIVE'], description: '`ACTIVE`: another bot has it' })
  newStatus!: 'QUEUED' | 'ACTIVE';

  @ApiProperty({ type: String, enum: [null], nullable: true, description: 'Always null: no agent has it' })
  assignedTo!: null;

  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  groupId!: string;

  @ApiPropertyOptional({
    type: () => TransferHandoffResponse,
    description: 'The stay in the queue, as it was then; absent with `targetBotId`',
  })
  handoff?: TransferHandoffResponse;
}
