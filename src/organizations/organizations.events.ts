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

/** An organization no longer stores clients' addresses. */
export interface AddressesOff {
  organizationId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'organization.addressesOff': AddressesOff;
    'organization.deleted': OrganizationDeleted;
    'organization.originsChanged': OriginsChanged;
    'organization.widgetChanged': WidgetChanged;
  }
}
