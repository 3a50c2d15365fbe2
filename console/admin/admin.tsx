import { useEffect, useRef } from 'preact/hooks';
import type { Route, Section } from '../state/route.js';
import { AuditPage } from './audit/audit.js';
import { BotPage } from './bots/bot.js';
import { BotsPage } from './bots/bots.js';
import { GroupPage } from './groups/group.js';
import { GroupsPage } from './groups/groups.js';
import { MailPage } from './mail/mail.js';
import { OrganizationPage } from './organization.js';
import { PeoplePage } from './people/people.js';
import { PersonPage } from './people/person.js';
import { RepliesPage } from './replies.js';
import { SetupPage } from './setup/setup.js';
import { TagsPage } from './tags/tags.js';
import { VisitorPage } from './visitors/visitor.js';
import { VisitorsPage } from './visitors/visitors.js';
import { WebhookPage } from './webhooks/webhook.js';
import { WebhooksPage } from './webhooks/webhooks.js';
import { WidgetPage } from './widget/widget.js';

const LISTS: Record<Section, () => preact.JSX.Element> = {
  setup: SetupPage,
  people: PeoplePage,
  groups: GroupsPage,
  bots: BotsPage,
  webhooks: WebhooksPage,
  replies: RepliesPage,
  tags: TagsPage,
  widget: WidgetPage,
  visitors: VisitorsPage,
  mail: MailPage,
  organization: OrganizationPage,
  audit: AuditPage,
};

/** The detail pages. */
const ONES: Partial<Record<Section, (props: { id: string }) => preact.JSX.Element>> = {
  people: PersonPage,
  groups: GroupPage,
  bots: BotPage,
  webhooks: WebhookPage,
  visitors: VisitorPage,
};

/** The administration page of a route. */
export function Admin({ at }: { at: Route }) {
  const isHere = at.page === 'admin';
  const section = isHere ? at.section : 'people';
  const id = isHere ? at.id : undefined;
  const shownId = useRef(id);
  useEffect(() => {
    // The clicked link was removed with its list, so the focus moves to the page's title.
    if (shownId.current !== id) document.querySelector<HTMLElement>('.page h1')?.focus();
    shownId.current = id;
  }, [section, id]);
  const One = ONES[section];
  if (id !== undefined && One) return <One key={`${section} ${id}`} id={id} />;
  const List = LISTS[section];
  return <List key={section} />;
}
