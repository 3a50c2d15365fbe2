/** The settings of a group were changed. */
export interface GroupChanged {
  organizationId: string;
  groupId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'group.changed': GroupChanged;
  }
}
