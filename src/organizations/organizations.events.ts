/** An organization was deleted, with all its data. */
export interface OrganizationDeleted {
  organizationId: string;
}

/** An organization changed the web origins that may embed its chat; an empty list allows any. */
export interface OriginsChanged {
  organizationId: string;
  allowedOrigins: string[];
}

/** The public settings of the organization's widget changed, or the organization was deleted. */
export interface WidgetChanged {
  organizationId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'organization.deleted': OrganizationDeleted;
    'organization.originsChanged': OriginsChanged;
    'organization.widgetChanged': WidgetChanged;
  }
}
