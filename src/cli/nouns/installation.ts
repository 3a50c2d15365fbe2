import { free, text, time, valueOf } from '../columns.js';
import type { Noun } from '../noun.js';
import type { Item } from '../service.js';

/** Who did something, in a word. */
export const actor = free('actor', ({ actor: who }) => {
  const { type, id, name } = who as Item;
  return [type, name ?? id].filter(Boolean).join(' ');
});

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
    time('at', 'at (utc)', { isExtra: false }),
    text('action'),
    actor,
    text('target'),
    free('name', ({ targetName }) => targetName),
    free('details', ({ details }) =>
      Object.entries(details as Item)
        .map(([name, value]) => `${name}: ${valueOf(value)}`)
        .join(', '),
    ),
  ],
};

/** What belongs to no organization. */
export const INSTALLATION_NOUNS: readonly Noun[] = [installationAudit];
