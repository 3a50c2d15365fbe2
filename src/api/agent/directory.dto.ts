import { ApiProperty } from '@nestjs/swagger';
import type { Colleague } from '../../agents/colleagues.queries.js';
import { PAUSE_REASONS, type PauseReason } from '../../agents/pause-reason.js';
import type { Presence } from '../../agents/presence.queries.js';
import { type Role, ROLES } from '../../agents/role.js';
import type { GroupOverview } from '../../inbox/directory.service.js';
import { StaffingResponse } from '../availability.dto.js';

export class ColleagueResponse implements Colleague {
  @ApiProperty({ example: 'agt_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  avatarUrl!: string | null;

  @ApiProperty({ enum: [...ROLES] })
  role!: Role;

  @ApiProperty({ type: [String] })
  groupIds!: string[];

  @ApiProperty({ enum: ['ONLINE', 'PAUSED', 'OFFLINE'] })
  presence!: Presence;

  @ApiProperty({ enum: PAUSE_REASONS, nullable: true, description: 'Why the agent is paused' })
  pauseReason!: PauseReason | null;

  @ApiProperty({ type: 'integer', description: 'How many chats the agent has' })
  openChats!: number;
}

export class ColleaguesResponse {
  @ApiProperty({ type: () => [ColleagueResponse] })
  agents!: ColleagueResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

export class GroupOverviewResponse extends StaffingResponse implements GroupOverview {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  isDefault!: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'After how many seconds a waiting chat is unanswered, unless its transfer says otherwise; 0: never',
  })
  maxWaitSeconds!: number;
}
