import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** A time in an answer. */
export const Time = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ ...options, type: String, format: 'date-time' } as ApiPropertyOptions);

/** A text or null in an answer. */
export const TextOrNull = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  ApiProperty({ ...options, type: String, nullable: true } as ApiPropertyOptions);

/** The cursor of the next page of a list. */
export const NextCursor = (): PropertyDecorator =>
  TextOrNull({ description: 'Ask for the next page with it; null at the end' });
