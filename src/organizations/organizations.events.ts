/** An organization and all that was in it is gone. */
export interface OrganizationDeleted {
  organizationId: string;
}

/** An organization says anew which web origins may embed its chat; none: any. */
export interface OriginsChanged {
  organizationId: string;
  allowedOrigins: string[];
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'organization.deleted': OrganizationDeleted;
    'organization.originsChanged': OriginsChanged;
  }
}
