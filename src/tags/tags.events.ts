/** Tags were renamed, colored, merged, or deleted. */
export interface TagsChanged {
  organizationId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'tags.changed': TagsChanged;
  }
}
