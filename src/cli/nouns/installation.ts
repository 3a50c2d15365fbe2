import { free, text, time, valueOf } from '../columns.js';
import type { Field, Noun } from '../noun.js';
import type { Item } from '../service.js';

/** Who did something, in a word. */
const actor = free('actor', ({ actor: who }) => {
  const { type, id, name } = who as Item;
  return [type, name ?? id].filter(Boolean).join(' ');
});

/** The columns of each audit log: when something was done, what, who did it, and to what. */
export const ENTRY_COLUMNS = [
  time('at', 'at (utc)', { isExtra: false }),
  text('action'),
  actor,
  text('target'),
  free('name', ({ targetName }) => targetName),
];

const installationAudit: Noun = {
  name: 'installation-audit',
  about: 'what happened to organizations and operators in the last three years, newest first',
  path: 'installation/audit',
  items: 'entries',
  isListOnly: true,
  isOfInstallation: true,
  filters: [
    { flags: '--action <action>', about: 'the action, such as organization.deleted', field: 'action' },
    { flags: '--target <id>', about: 'the id of the organization or the operator', field: 'target' },
  ],
  columns: [
    ...ENTRY_COLUMNS,
    free('details', ({ details }) =>
      Object.entries(details as Item)
        .map(([name, value]) => `${name}: ${valueOf(value)}`)
        .join(', '),
    ),
  ],
};

/** What null means in the times of a token. */
export const NEVER = { expiresAt: 'never', lastUsedAt: 'never' };
/** The times of a token. */
export const expires = time('expiresAt', 'expires', { isExtra: false, nothing: NEVER.expiresAt, length: 10 });
export const lastUsed = time('lastUsedAt', 'last used (utc)', { nothing: NEVER.lastUsedAt });
/** When a new token expires. */
export const expiresAt: Field = {
  flags: '--expires-at <time>',
  about: 'when it expires, such as 2027-01-31T00:00:00Z; default: never',
  field: 'expiresAt',
};

const operator: Noun = {
  name: 'operator',
  about: 'people and programs that operate the installation, each with a token; needs ADMIN_TOKEN itself',
  isOfInstallation: true,
  columns: [
    text('id'),
    free('name', ({ name }) => name),
    { title: 'ends in', of: ({ lastFour }) => valueOf(lastFour) },
    expires,
    lastUsed,
  ],
  nothing: NEVER,
  create: [{ flags: '--name <name>', about: 'who or what uses it', field: 'name', isRequired: true }, expiresAt],
  deleting: 'the token is refused from then on',
  deleteAliases: ['revoke'],
};

/** What belongs to no organization. */
export const INSTALLATION_NOUNS: readonly Noun[] = [installationAudit, operator];
