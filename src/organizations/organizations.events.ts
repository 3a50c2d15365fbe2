/** An organization and all that was in it is gone. */
export interface OrganizationDeleted {
  organizationId: string;
}

declare module '../common/domain-events.js' {
  interface DomainEvents {
    'organization.deleted': OrganizationDeleted;
  }
}
