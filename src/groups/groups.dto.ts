import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { Text } from '../common/validators.js';
import type { GroupRow } from './groups.queries.js';
import type { Group } from './group.entity.js';

/** A group as bots see it: exactly these fields (CONTRACT section 2). */
export class GroupResponse implements GroupRow {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'Support' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'The agents assigned to the group', example: 3 })
  agentCount!: number;

  @ApiProperty({ description: 'Exactly one group of an organization is the default' })
  isDefault!: boolean;
}

export class CreateGroupDto {
  @Text(1, 200)
  name!: string;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  isDefault?: boolean;
}

export class UpdateGroupDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  isDefault?: boolean;
}

export function toAdminGroup({ id, name, isDefault, createdAt }: Group) {
  return { id, name, isDefault, createdAt };
}
