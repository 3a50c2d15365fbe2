import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';

/** A boolean that may be omitted. */
export function OptionalFlag(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}
