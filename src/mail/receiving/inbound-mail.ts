/** What became of a mail that arrived. */
export const INBOUND_STATUSES = ['STORED', 'TO_CHECK', 'ACCEPTED', 'DROPPED', 'REFUSED', 'PROCESSED'] as const;
export type InboundStatus = (typeof INBOUND_STATUSES)[number];

/** Why a mail was refused (CONTRACT: E-mail). */
export const REFUSALS = [
  'automatic',
  'own',
  'limit',
  'blocked',
  'erased',
  'unknown_token',
  'empty',
  'too_large',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What became of a mail that arrived (CONTRACT: E-mail). `processed`: a bounce or complaint. */
export interface InboundResult {
  status: 'stored' | 'to_check' | 'duplicate' | 'refused' | 'processed';
  reason?: Refusal;
}
