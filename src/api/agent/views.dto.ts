import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import type { SavedView } from '../../agents/saved-view.entity.js';
import { MAX_POSITION, type NewView, type ViewFields } from '../../agents/saved-views.service.js';
import { SCALAR, Sized } from '../../platform/validation/body-size.js';
import { Name, Text, WholeNumber } from '../../platform/validation/validators.js';

const MAX_NAME = 100;
const MAX_QUERY = 500;
const QUERY = 'Words and filters as the console writes them; checked when they are used';
const POSITION = 'Its place among the views; several may have the same';
const SHARED = 'Whether the team sees it. Only supervisors and administrators share views';

function Shared(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Sized(SCALAR),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}

export class NewViewDto implements NewView {
  @Name(MAX_NAME, { example: 'Refunds of this week' })
  name!: string;

  @Text(1, MAX_QUERY, { example: 'tag:refund is:open', description: QUERY })
  query!: string;

  @Shared(`${SHARED}. Default: false`)
  isShared?: boolean;

  @WholeNumber(0, MAX_POSITION, { optional: true, description: `${POSITION}. Default: the last` })
  position?: number;
}

export class UpdateViewDto implements Partial<ViewFields> {
  @Name(MAX_NAME, { optional: true })
  name?: string;

  @Text(1, MAX_QUERY, { optional: true, description: QUERY })
  query?: string;

  @Shared(SHARED)
  isShared?: boolean;

  @WholeNumber(0, MAX_POSITION, { optional: true, description: POSITION })
  position?: number;
}

export class ViewResponse implements ViewFields {
  @ApiProperty({ example: 'viw_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: QUERY })
  query!: string;

  @ApiProperty({ description: 'Whether it is of the team' })
  isShared!: boolean;

  @ApiProperty({ type: 'integer', description: POSITION })
  position!: number;
}

export class ViewsResponse {
  @ApiProperty({ type: () => [ViewResponse] })
  views!: ViewResponse[];
}

export function toViewResponse({ id, name, query, agentId, position }: SavedView): ViewResponse {
  return { id, name, query, isShared: agentId === null, position };
}
