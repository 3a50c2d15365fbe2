import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { Operator } from '../../auth/operators/operator.entity.js';
import { Name } from '../../platform/validation/validators.js';
import { AccessTokenResponse, ExpiresAt } from './access-tokens.dto.js';
import { NextCursor } from './response-fields.js';

export class CreateOperatorDto {
  @Name(200)
  name!: string;

  /** When the token expires; omitted: never. */
  @ExpiresAt()
  expiresAt?: string;
}

export class OperatorResponse extends OmitType(AccessTokenResponse, ['id', 'name', 'scopes']) {
  @ApiProperty({ example: 'opr_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;
}

export class NewOperatorResponse extends OperatorResponse {
  @ApiProperty({ description: 'The token. It is returned only this once' })
  token!: string;
}

export class OperatorsResponse {
  @ApiProperty({ type: () => [OperatorResponse] })
  operators!: OperatorResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toOperatorResponse(operator: Operator): OperatorResponse {
  const { id, name, lastFour, expiresAt, createdAt, lastUsedAt } = operator;
  return { id, name, lastFour, expiresAt, createdAt, lastUsedAt };
}
