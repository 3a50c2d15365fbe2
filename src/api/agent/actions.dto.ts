import type { AgentTransfer } from '../../handoff/agent-actions.service.js';
import { Text } from '../../platform/validation/validators.js';
import { MessageContent } from '../messages.dto.js';

/** The longest note to a bot or to the next agent, in characters. */
const MAX_NOTE = 2_000;

/** The body of `POST /api/agent/chats/{id}/messages` (CONTRACT section 10). */
export class AgentMessageDto extends MessageContent {
  @Text(1, 64, { optional: true, description: 'The same of one agent is never stored twice' })
  clientMessageId?: string;
}

export class ReturnDto {
  @Text(0, MAX_NOTE, { optional: true, description: 'What the bot should know; the visitor does not see it' })
  note?: string | null;
}

export class AssignDto {
  @Text(1, 64)
  agentId!: string;
}

export class AgentTransferDto implements AgentTransfer {
  @Text(1, 64, { optional: true })
  groupId?: string;

  @Text(1, 64, { optional: true })
  agentId?: string;

  @Text(0, MAX_NOTE, { optional: true, description: 'What the next agent should know; the visitor does not see it' })
  note?: string | null;
}
