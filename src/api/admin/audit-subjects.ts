import type { Subject } from '../../auth/audit/audit.service.js';
import { recordedAddress } from '../../auth/audit/audit-changes.js';
import type { AccessToken } from '../../auth/bots/access-token.entity.js';
import type { BotRow } from '../../bots/bots.queries.js';
import type { Group } from '../../groups/group.entity.js';
import type { Organization } from '../../organizations/organization.entity.js';
import type { WidgetSettings } from '../../organizations/widget-settings.js';
import type { ConnectionRow } from '../../bot-connections/connections/connections.queries.js';
import type { WebhookRow } from '../../webhooks/webhooks.queries.js';
import { toConnectionResponse } from './bot-connection-responses.dto.js';
import { toBotResponse } from './bots.dto.js';
import { toAdminGroup } from './groups.dto.js';
import { toOrganizationResponse } from './organizations.dto.js';
import { toWebhookResponse } from './webhooks.dto.js';

// What administrators change, as the audit log and `If-Match` see it.

const identify = ({ id, name }: { id: string; name: string | null }) => ({ id, name });

export const ORGANIZATION: Subject<Organization> = { kind: 'organization', view: toOrganizationResponse, identify };
export const GROUP: Subject<Group> = { kind: 'group', view: toAdminGroup, identify };
export const BOT: Subject<BotRow> = { kind: 'bot', view: toBotResponse, identify };

export const CONNECTION: Subject<ConnectionRow> = {
  kind: 'connection',
  view: toConnectionResponse,
  identify: ({ id, url }) => ({ id, name: recordedAddress(url) }),
};

export const WEBHOOK: Subject<WebhookRow> = {
  kind: 'webhook',
  view: toWebhookResponse,
  identify: ({ id, url }) => ({ id, name: recordedAddress(url) }),
};

/** An organization has one widget, which has no id of its own. */
export const WIDGET: Subject<WidgetSettings> = {
  kind: 'widget',
  view: (settings) => settings,
  identify: (_, { organizationId }) => ({ id: organizationId, name: null }),
};

/** The tokens of a bot. */
export function tokenOf({ id, name }: BotRow): Subject<AccessToken> {
  const bot = { id, name };
  return {
    kind: 'token',
    view: (token) => ({ name: token.name, scopes: token.scopes, expiresAt: token.expiresAt, bot }),
    identify,
  };
}
