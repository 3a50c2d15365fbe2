import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';

/** Whether bots may only act in chats that they have (CONTRACT section 8). */
export function OnlyOwnChats(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}
