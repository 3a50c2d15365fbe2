import { ApiHeader } from '@nestjs/swagger';

/** Documents the `Idempotency-Key` header. */
export function ApiIdempotencyKey(): MethodDecorator & ClassDecorator {
  return ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 visible ASCII characters, bare or in quotes. A retry with the same key and body within 24 h answers ' +
      'the first result and does nothing again; with another body it is answered 422',
    schema: { type: 'string', minLength: 1, maxLength: 512 },
  });
}

export const ReplayedHeader = {
  'Idempotent-Replayed': {
    description: '`true` when this is the result of an earlier request with the same key',
    schema: { type: 'string' as const, enum: ['true'] },
  },
};
