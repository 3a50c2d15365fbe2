/** The actions that the audit log records (CONTRACT: Audit log). */
export const AUDIT_ACTIONS = [
  'session.created',
  'session.failed',
  'session.throttled',
  'link.created',
  'link.revoked',
  'password.changed',
  'password.failed',
  'organization.created',
  'organization.changed',
  'organization.retention_changed',
  'organization.mail_changed',
  'organization.deleted',
  'organization.restored',
  'group.created',
  'group.changed',
  'group.deleted',
  'agent.created',
  'agent.changed',
  'agent.role_changed',
  'agent.email_changed',
  'agent.groups_changed',
  'agent.enabled',
  'agent.disabled',
  'agent.deleted',
  'bot.created',
  'bot.changed',
  'bot.deleted',
  'connection.created',
  'connection.changed',
  'connection.paused',
  'connection.resumed',
  'connection.deleted',
  'connection.tested',
  'connection.secret_rotated',
  'token.created',
  'token.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.enabled',
  'webhook.disabled',
  'webhook.secret_rotated',
  'organization.identity_secret_rotated',
  'webhook.deleted',
  'reply.created',
  'reply.changed',
  'reply.deleted',
  'widget.changed',
  'tag.changed',
  'tag.merged',
  'tag.deleted',
  'visitor.blocked',
  'visitor.unblocked',
  'visitors.listed',
  'visitor.exported',
  'visitor.unsubscribed',
  'visitor.resubscribed',
  'visitor.address_removed',
  'mail.accepted',
  'mail.dropped',
  'visitor.erasure_began',
  'visitor.erased',
  'chats.listed',
  'chats.exported',
  'audit.exported',
  'retention.removed',
  'anonymous.removed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Things whose changes are recorded field by field. */
export type AuditedKind =
  | 'organization'
  | 'group'
  | 'agent'
  | 'bot'
  | 'connection'
  | 'token'
  | 'webhook'
  | 'reply'
  | 'widget'
  | 'tag';

const onOff = (on: AuditAction, off: AuditAction) => (to: unknown) => (to ? on : off);

/** Fields whose changes have an action of their own, which may depend on the new value. */
const OF_FIELDS: Record<string, AuditAction | ((to: unknown) => AuditAction)> = {
  'organization.retentionDays': 'organization.retention_changed',
  'organization.mail': 'organization.mail_changed',
  'agent.role': 'agent.role_changed',
  'agent.email': 'agent.email_changed',
  'agent.groups': 'agent.groups_changed',
  'agent.isEnabled': onOff('agent.enabled', 'agent.disabled'),
  'connection.isEnabled': onOff('connection.resumed', 'connection.paused'),
  'webhook.isEnabled': onOff('webhook.enabled', 'webhook.disabled'),
};

/** The action that records a field's change. */
export function actionOf(kind: AuditedKind, field: string, to: unknown): AuditAction {
  const own = OF_FIELDS[`${kind}.${field}`] ?? (`${kind}.changed` as AuditAction);
  return typeof own === 'function' ? own(to) : own;
}
