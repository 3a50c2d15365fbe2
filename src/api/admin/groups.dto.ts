import { IsBoolean, IsOptional } from 'class-validator';
import { Text } from '../../platform/http/validators.js';
import type { GroupChange, NewGroup } from '../../groups/groups.service.js';
import type { Group } from '../../groups/group.entity.js';

export class CreateGroupDto implements NewGroup {
  @Text(1, 200)
  name!: string;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  isDefault?: boolean;
}

export class UpdateGroupDto implements GroupChange {
  @Text(1, 200, { optional: true })
  name?: string;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  isDefault?: boolean;
}

export function toAdminGroup({ id, name, isDefault, createdAt }: Group) {
  return { id, name, isDefault, createdAt };
}
