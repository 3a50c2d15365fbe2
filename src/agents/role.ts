/** What an agent may do (CONTRACT: Signing in), in ascending order. */
export const ROLES = ['AGENT', 'SUPERVISOR', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role has the rights of another. */
export function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}
