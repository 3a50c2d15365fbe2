/** What happens to organizations as a whole, and to operators' tokens (CONTRACT: Admin API). */
export const INSTALLATION_ACTIONS = [
  'organization.created',
  'organization.deleted',
  'organization.restored',
  'organization.copied',
  'organization.exported',
  'organization.imported',
  'organization.removal_began',
  'organization.removed',
  'operator.created',
  'operator.revoked',
] as const;
export type InstallationAction = (typeof INSTALLATION_ACTIONS)[number];

/** Days that entries are kept: three years. */
export const INSTALLATION_AUDIT_DAYS = 1_095;

/** Of a deletion, when the removal is due; of a removal, a copy, an export, or an import, the number of rows by their kind; of an operator, when its token expires. */
export type EntryDetails = Record<string, string | number | null>;
