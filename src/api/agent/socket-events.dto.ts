import { ApiProperty } from '@nestjs/swagger';
import { PAUSE_REASONS, type PauseReason } from '../../agents/pause-reason.js';
import type { AgentPresence, Presence } from '../../agents/presence.queries.js';
import type { SessionEndReason } from '../../auth/context/auth.events.js';
import { OFFER_ENDS, type OfferEnd } from '../../chats/model/chat-offer.entity.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';

const SESSION_END_REASONS: SessionEndReason[] = ['SIGNED_OUT', 'EXPIRED', 'PASSWORD_CHANGED', 'DISABLED', 'DELETED'];

/** `offer:ended` of an agent's socket. */
export class OfferEndedResponse {
  @ApiProperty({ example: 'off_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...OFFER_ENDS] })
  reason!: OfferEnd;
}

/** `followed` of an agent's socket. */
export class FollowedResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty()
  isFollowed!: boolean;
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

  @ApiProperty({ enum: PAUSE_REASONS, nullable: true, description: 'Why the agent is paused' })
  reason!: PauseReason | null;
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
