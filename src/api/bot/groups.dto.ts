import { ApiProperty } from '@nestjs/swagger';
import type { GroupRow } from '../../groups/groups.queries.js';

/** A group as bots see it: exactly these fields (CONTRACT: Bot API). */
export class GroupResponse implements Omit<GroupRow, 'maxWaitSeconds'> {
  @ApiProperty({ example: 'grp_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'Support' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'The agents assigned to the group', example: 3 })
  agentCount!: number;

  @ApiProperty({ description: 'Exactly one group of an organization is the default' })
  isDefault!: boolean;
}
