import { ApiProperty } from '@nestjs/swagger';
import type { Actor } from '../../auth/context/request-context.js';
import { NamedResponse } from '../../platform/http/responses/problem.dto.js';

/** The bot that a token belongs to (CONTRACT section 2). */
export class MeResponse {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: () => NamedResponse })
  organization!: NamedResponse;
}

export function toMe({ id, name }: Actor, organization: NamedResponse): MeResponse {
  return { id: id ?? '', name: name ?? '', organization: { id: organization.id, name: organization.name } };
}
