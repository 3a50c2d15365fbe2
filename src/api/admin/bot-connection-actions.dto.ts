import { ApiProperty } from '@nestjs/swagger';
import type { Preview } from '../../bot-connections/engine/previews.service.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { Text } from '../../platform/validation/validators.js';

export class ConnectionSecretResponse {
  @ApiProperty({ description: 'Signs the requests. It is returned only this once' })
  secret!: string;
}

/** The body of `POST …/connection/preview`. */
export class PreviewConnectionDto {
  @Text(1, MAX_ID_LENGTH, { description: 'The chat whose next request is shown' })
  chatId!: string;
}

/** A request that isn't sent. */
export class ConnectionPreviewResponse implements Preview {
  @ApiProperty({ description: 'A query is shown as `?***`' })
  url!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: 'Secrets are `***`' })
  headers!: Record<string, string>;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The JSON of the request' })
  body!: unknown;
}
