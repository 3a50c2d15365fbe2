import { ApiProperty, PickType } from '@nestjs/swagger';
import type { LongestWaiting, TeamMember, UnansweredChat } from '../../inbox/team.queries.js';
import type { TeamGroup } from '../../inbox/team.service.js';
import { ColleagueResponse, GroupOverviewResponse } from './directory.dto.js';

class WaitingVisitorResponse {
  @ApiProperty({ example: 'vis_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;
}

class UnansweredChatResponse implements UnansweredChat {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: () => WaitingVisitorResponse })
  visitor!: WaitingVisitorResponse;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'The time of the visitor’s first message without an answer',
  })
  waitingSince!: Date;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'From then on the chat counts as late: `lateAfterSeconds` of the organization after `waitingSince`',
  })
  lateAt!: Date;
}

class TeamMemberResponse extends ColleagueResponse implements TeamMember {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when the agent has this presence and this reason; null if it is not known',
  })
  presenceSince!: Date | null;

  @ApiProperty({ type: 'integer', description: 'The most chats that routing gives the agent' })
  capacity!: number;

  @ApiProperty({
    type: () => UnansweredChatResponse,
    nullable: true,
    description: 'Of the agent’s chats, the one whose visitor has waited longest for an answer',
  })
  oldestUnanswered!: UnansweredChatResponse | null;
}

export class TeamResponse {
  @ApiProperty({ type: () => [TeamMemberResponse], description: 'Ordered by id' })
  agents!: TeamMemberResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

class LongestWaitingResponse implements LongestWaiting {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: () => WaitingVisitorResponse })
  visitor!: WaitingVisitorResponse;

  @ApiProperty({ type: String, format: 'date-time' })
  queuedAt!: Date;
}

export class TeamGroupResponse
  extends PickType(GroupOverviewResponse, [
    'id',
    'name',
    'onlineAgents',
    'waitingChats',
    'isOpen',
    'maxWaitSeconds',
  ] as const)
  implements TeamGroup
{
  @ApiProperty({
    type: () => LongestWaitingResponse,
    nullable: true,
    description: 'The chat that has waited longest for a person; null if none waits',
  })
  longestWaiting!: LongestWaitingResponse | null;
}
