import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { Name, OneOf, Text, WholeNumber } from '../../platform/validation/validators.js';
import type { GroupChange, NewGroup } from '../../groups/groups.service.js';
import type { Group } from '../../groups/group.entity.js';
import type { GivenHours } from '../../organizations/office-hours.js';
import { OfficeHoursField, OfficeHoursResponse } from './office-hours.dto.js';
import { NextCursor, Time } from './response-fields.js';
import { ON_UNANSWERED, type OnUnanswered, type Routing, ROUTINGS } from '../../groups/routing.js';

/** The longest wait, in seconds: a day. */
const MAX_SECONDS = 86_400;

class QueueSettingsDto {
  @OneOf(ROUTINGS, {
    optional: true,
    description:
      '`MANUAL`: every agent of the group sees its chats, and the first claim has one. `OFFER`: one agent after the other is asked. `AUTOMATIC`: chats are assigned. A new group: `MANUAL`',
  })
  routing?: Routing;

  @WholeNumber(10, 600, { optional: true, description: 'Until an offer expires. A new group: 30' })
  offerSeconds?: number;

  @WholeNumber(1, 100, {
    optional: true,
    description: 'The most pending offers of an agent. Offers from other groups count too. A new group: 2',
  })
  maxPendingOffers?: number;

  @WholeNumber(0, MAX_SECONDS, {
    optional: true,
    description: 'After so long, a waiting chat is unanswered; 0: never. A new group: 180',
  })
  maxWaitSeconds?: number;

  @OneOf(ON_UNANSWERED, {
    optional: true,
    description: '`KEEP`: it keeps waiting. `RETURN_TO_BOT`: the bots get it, if there are any. A new group: `KEEP`',
  })
  onUnanswered?: OnUnanswered;

  @WholeNumber(0, MAX_SECONDS, {
    optional: true,
    description: 'After so long offline, the chats of an agent wait again; 0: never. A new group: 120',
  })
  offlineReassignSeconds?: number;

  @OfficeHoursField('When its agents answer; null: as the organization says')
  officeHours?: GivenHours | null;

  @Text(1, 64, {
    optional: true,
    nullable: true,
    description: "The only bot that gets the group's chats. Null: every bot does",
    example: 'bot_01h455vb4pex5vsknk084sn02q',
  })
  botId?: string | null;
}

export class CreateGroupDto extends QueueSettingsDto implements NewGroup {
  @Name(200)
  name!: string;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ type: Boolean })
  isDefault?: boolean;
}

export class UpdateGroupDto extends QueueSettingsDto implements GroupChange {
  @Name(200, { optional: true })
  name?: string;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ type: Boolean })
  isDefault?: boolean;
}

export class AdminGroupResponse {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  isDefault!: boolean;

  @ApiProperty({ enum: [...ROUTINGS] })
  routing!: Routing;

  @ApiProperty({ type: 'integer' })
  offerSeconds!: number;

  @ApiProperty({ type: 'integer' })
  maxPendingOffers!: number;

  @ApiProperty({ type: 'integer', description: '0: never unanswered' })
  maxWaitSeconds!: number;

  @ApiProperty({ enum: [...ON_UNANSWERED] })
  onUnanswered!: OnUnanswered;

  @ApiProperty({ type: 'integer', description: '0: never' })
  offlineReassignSeconds!: number;

  @ApiProperty({ type: () => OfficeHoursResponse, nullable: true, description: 'Null: as the organization says' })
  officeHours!: OfficeHoursResponse | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The only bot that gets the group's chats; null: every bot",
  })
  botId!: string | null;

  @Time()
  createdAt!: Date;
}

export class GroupsResponse {
  @ApiProperty({ type: () => [AdminGroupResponse] })
  groups!: AdminGroupResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toAdminGroup(group: Group): AdminGroupResponse {
  const { id, name, isDefault, routing, offerSeconds, maxPendingOffers, maxWaitSeconds } = group;
  const { onUnanswered, offlineReassignSeconds, officeHours, botId, createdAt } = group;
  return {
    id,
    name,
    isDefault,
    routing,
    offerSeconds,
    maxPendingOffers,
    maxWaitSeconds,
    onUnanswered,
    offlineReassignSeconds,
    officeHours,
    botId,
    createdAt,
  };
}
