import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { PauseReason } from '../../agents/agents.events.js';
import type { AgentPresence, Presence } from '../../agents/presence.queries.js';
import type { SessionEndReason } from '../../auth/context/auth.events.js';
import { OFFER_ENDS, type OfferEnd } from '../../chats/model/chat-offer.entity.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';

const SESSION_END_REASONS: SessionEndReason[] = ['SIGNED_OUT', 'EXPIRED', 'PASSWORD_CHANGED', 'DISABLED', 'DELETED'];
const PAUSE_REASONS: PauseReason[] = ['MISSED_OFFERS'];

/** `offer:ended` of an agent's socket. */
export class OfferEndedResponse {
  @ApiProperty({ example: 'off_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...OFFER_ENDS] })
  reason!: OfferEnd;
}

/** `viewers` of an agent's socket. */
export class ViewersResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: () => [NamedResponse], description: 'The agents who follow the chat' })
  agents!: NamedResponse[];
}

/** `presence` of an agent's socket. */
export class PresenceEventResponse implements AgentPresence {
  @ApiProperty({ example: 'agt_01h455vb4pex5vsknk084sn02q' })
  agentId!: string;

  @ApiProperty({ enum: ['ONLINE', 'PAUSED', 'OFFLINE'] })
  presence!: Presence;

  @ApiProperty()
  isAccepting!: boolean;

  @ApiPropertyOptional({ enum: PAUSE_REASONS, description: 'Why routing paused the agent' })
  reason?: PauseReason;
}

/** `inbox:stale` of an agent's socket: something may have been missed. */
export class StaleResponse {
  @ApiProperty({ type: String, format: 'date-time', description: "The service's time" })
  now!: string;
}

/** `session:ended` of an agent's socket, which is then closed. */
export class SessionEndedResponse {
  @ApiProperty({ enum: SESSION_END_REASONS })
  reason!: SessionEndReason;
}
