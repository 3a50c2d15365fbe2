/** SQL: whether the address of the visitor `v` is known to be theirs. */
export const IS_VERIFIED = '(v.signed_at IS NOT NULL OR v.verified_email IS NOT DISTINCT FROM v.email)';
