import { ApiProperty } from '@nestjs/swagger';
import type { Neighbor } from '../../platform/cluster/neighbors.js';

/** A running node of the installation. */
class NodeResponse implements Neighbor {
  @ApiProperty()
  id!: string;

  @ApiProperty({ description: 'The version of Parley' })
  version!: string;

  @ApiProperty({ description: 'The commit that it was built from; `unknown` if the build did not know it' })
  commit!: string;

  @ApiProperty({ description: 'Whether it stores in the same database as the node that answers' })
  usesSameDatabase!: boolean;

  @ApiProperty({ description: 'Whether it has the same `SECRET_KEY` as the node that answers' })
  usesSameKey!: boolean;
}

export class NodesResponse {
  @ApiProperty({ type: NodeResponse, description: 'The node that answers' })
  self!: NodeResponse;

  @ApiProperty({
    type: [NodeResponse],
    description: 'The nodes on the same Redis that described themselves in the last 15 s',
  })
  others!: NodeResponse[];
}
