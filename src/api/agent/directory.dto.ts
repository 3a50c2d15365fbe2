import { ApiProperty } from '@nestjs/swagger';
import type { Colleague } from '../../agents/colleagues.queries.js';
import type { Presence } from '../../agents/presence.queries.js';
import { type Role, ROLES } from '../../agents/role.js';
import { AVAILABILITIES, type Availability } from '../../handoff/availability.js';
import type { GroupOverview } from '../../inbox/directory.service.js';

class ColleagueResponse implements Colleague {
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

  @ApiProperty({ type: 'integer', description: 'How many chats the agent has' })
  openChats!: number;
}

export class ColleaguesResponse {
  @ApiProperty({ type: () => [ColleagueResponse] })
  agents!: ColleagueResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;
}

export class GroupOverviewResponse implements GroupOverview {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  isDefault!: boolean;

  @ApiProperty({
    enum: [...AVAILABILITIES],
    description: 'Whether a member is online and has room; online, but full; or not online',
  })
  availability!: Availability;

  @ApiProperty({ type: 'integer', description: 'The members who are online and accept chats' })
  onlineAgents!: number;

  @ApiProperty({ type: 'integer', maximum: 1000, description: 'Up to 1,000' })
  waitingChats!: number;

  @ApiProperty({
    type: 'integer',
    description: 'After how many seconds a waiting chat is unanswered, unless its transfer says otherwise; 0: never',
  })
  maxWaitSeconds!: number;

  @ApiProperty({ description: 'Whether it is within the office hours. Outside of them, the group is `OFFLINE`' })
  isOpen!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it opens; null while it is open, and if it never opens',
  })
  nextOpening!: string | null;
}
