import { ApiProperty } from '@nestjs/swagger';
import { encodeCursor } from '../../platform/lib/cursor.js';
import type { Resealed } from '../../platform/database/key/reseal.queries.js';
import { NextCursor } from './response-fields.js';

/** What a call has encrypted again. */
export class ResealedResponse {
  @ApiProperty({ type: 'integer', description: 'How many secrets it encrypted with `SECRET_KEY`' })
  resealed!: number;

  @ApiProperty({ type: 'integer', description: 'How many secrets neither key opens; they stay as they are' })
  unreadable!: number;

  @NextCursor()
  nextCursor!: string | null;
}

export function toResealedResponse({ resealed, unreadable, last }: Resealed): ResealedResponse {
  return { resealed, unreadable, nextCursor: last === null ? null : encodeCursor(last) };
}
