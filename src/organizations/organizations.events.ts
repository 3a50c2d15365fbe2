/** An organization was deleted. */
export interface OrganizationDeleted {
  organizationId: string;
  /** Whether its data is to be removed now. */
  isDue?: boolean;
}

/** The removal of a deleted organization's data has begun. Its webhooks no longer exist. */
export interface OrganizationRemovalBegan {
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
    'organization.removalBegan': OrganizationRemovalBegan;
    'organization.originsChanged': OriginsChanged;
    'organization.widgetChanged': WidgetChanged;
  }
}
