/** What the audit log tells of (CONTRACT section 7). */
export const AUDIT_ACTIONS = [
  'session.created',
  'session.failed',
  'session.throttled',
  'link.created',
  'link.revoked',
  'password.changed',
  'agent.created',
  'agent.role_changed',
  'agent.email_changed',
  'agent.enabled',
  'agent.disabled',
  'agent.deleted',
  'visitor.exported',
  'visitor.erased',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
