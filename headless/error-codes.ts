// Generated from src/platform/errors/problem-codes.ts by `npm run generate:reference`. Do not edit.

/** Every `code` of an error that Parley answers. A newer Parley may have more. */
export const errorCodes = [
  'unauthorized',
  'forbidden',
  'validation_failed',
  'malformed_json',
  'body_too_large',
  'not_found',
  'conflict',
  'precondition_failed',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
  'already_assigned',
  'not_assigned',
  'offered',
  'agent_unavailable',
  'no_bot',
  'not_owner',
  'nobody_available',
  'not_waiting',
  'idempotency_key_reused',
  'superseded',
  'offer_ended',
  'too_many',
  'wrong_password',
  'organization_required',
  'offer_over',
  'not_ended',
  'handoff_off',
  'rating_off',
  'rating_over',
] as const;

export type ErrorCode = (typeof errorCodes)[number];
