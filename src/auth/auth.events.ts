/** A visitor signed out: this token is no longer valid. */
export interface VisitorTokenEnded {
  organizationId: string;
  tokenId: string;
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'visitorToken.ended': VisitorTokenEnded;
  }
}
