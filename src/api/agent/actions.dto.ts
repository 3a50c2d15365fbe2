import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { MAX_SEQ } from '../../chats/reading/chat-state.js';
import { REPLY_ACTIONS, type ReplyAction } from '../../agents/canned-reply.entity.js';
import type { AgentTransfer, Snooze } from '../../handoff/agent-actions.service.js';
import type { AgentMessage } from '../../inbox/chat-messages.service.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import {
  Check,
  findTimeFault,
  MAX_TIME_LENGTH,
  Nested,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/validation/validators.js';
import { MessageContent } from '../messages.dto.js';

/** The longest note to a bot or to the next agent, in characters. */
const MAX_NOTE = 2_000;

/** The body of `POST /api/agent/chats/{id}/messages` (CONTRACT: Agent API). */
export class AgentMessageDto extends MessageContent implements AgentMessage {
  @Text(1, 64, { optional: true, description: 'The same of one agent is never stored twice' })
  clientMessageId?: string;

  @OneOf(REPLY_ACTIONS, { optional: true, description: 'What follows once the message is stored. Omitted: nothing' })
  action?: ReplyAction;

  @Text(1, 64, { optional: true, description: 'Where `TRANSFER` moves the chat' })
  actionGroupId?: string;
}

export class ClaimDto {
  @Text(1, 64, { optional: true, description: 'A group of yours, that the chat moves to, such as to undo a transfer' })
  groupId?: string;
}

export class ReturnDto {
  @Text(0, MAX_NOTE, { optional: true, description: 'What the bot should know; the visitor does not see it' })
  note?: string | null;
}

export class ReopenDto {
  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({
    type: Boolean,
    description:
      'Undoes the end of a chat that was yours, or of any for a supervisor, within 5 minutes. Its bot or agent gets it back, or it waits again in its old place. An open chat stays as it is',
  })
  undo?: boolean;
}

/** The furthest time that a chat is snoozed to, in days. */
const MAX_SNOOZE_DAYS = 366;

export class SnoozeDto {
  @IsOptional()
  @Check('wakesAt', findWakeFault)
  @Sized(sizeOfText(MAX_TIME_LENGTH))
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: `Up to ${MAX_SNOOZE_DAYS} days from now. Omitted or null: until the visitor writes, which always wakes the chat`,
  })
  until?: string | null;

  @WholeNumber(0, MAX_SEQ, {
    optional: true,
    description: 'The latest `seq` that you saw. If the visitor wrote after it, the chat isn’t snoozed',
  })
  seenSeq?: number;
}

export class AssignDto {
  @Text(1, 64)
  agentId!: string;

  @Nested(() => SnoozeDto, {
    optional: true,
    description:
      'Snoozes the chat for its new agent, such as after an undo. It isn’t snoozed if the time is over, or the visitor wrote after `seenSeq`',
  })
  snooze?: SnoozeDto;
}

export function toSnooze({ until, seenSeq }: SnoozeDto): Snooze {
  return { until: until == null ? null : new Date(until), seenSeq };
}

function findWakeFault(value: unknown): string | null {
  const fault = findTimeFault(value);
  if (fault) return fault;
  const isTooFar = Date.parse(value as string) > Date.now() + MAX_SNOOZE_DAYS * 86_400_000;
  return isTooFar ? `must be at most ${MAX_SNOOZE_DAYS} days from now` : null;
}

export class AgentTransferDto implements AgentTransfer {
  @Text(1, 64, { optional: true })
  groupId?: string;

  @Text(1, 64, { optional: true })
  agentId?: string;

  @Text(0, MAX_NOTE, { optional: true, description: 'What the next agent should know; the visitor does not see it' })
  note?: string | null;
}
