/** A group was created, changed, or removed, or its office hours began or ended. */
export interface GroupChanged {
  organizationId: string;
  groupId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'group.changed': GroupChanged;
  }
}
