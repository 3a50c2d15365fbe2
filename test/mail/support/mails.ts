import { Outbox } from '../../../src/mail/sending/outbox.service.js';
import { eventually } from '../../support/eventually.js';
import type { Tenant } from '../../support/tenant.js';
import type { Parley } from '../../support/parley.js';

/** A mail as administrators see it. */
export interface ListedMail {
  id: string;
  kind: string;
  to: string;
  chatId: string | null;
  visitorId: string | null;
  agentId: string | null;
  status: string;
  lastError: string | null;
  attempts: number;
  nextAttemptAt: string | null;
  sentAt: string | null;
}

export async function listMails({ admin }: Pick<Tenant, 'admin'>): Promise<ListedMail[]> {
  return (await admin.get('/mails').expect(200)).body.mails as ListedMail[];
}

/** Waits until the newest mail is as wanted. */
export function untilNewest(tenant: Pick<Tenant, 'admin'>, holds: (mail: ListedMail) => boolean): Promise<ListedMail> {
  return eventually(
    async () => (await listMails(tenant))[0]!,
    (mail) => mail !== undefined && holds(mail),
  );
}

/** Waits until the newest mail to an address is as wanted. */
export function untilMail(
  tenant: Pick<Tenant, 'admin'>,
  to: string,
  holds: (mail: ListedMail) => boolean,
): Promise<ListedMail> {
  return eventually(
    async () => (await listMails(tenant)).find((mail) => mail.to === to)!,
    (mail) => mail !== undefined && holds(mail),
  );
}

/** Lets every waiting mail be due now. */
export async function hasten(parley: Parley): Promise<void> {
  await parley.query("UPDATE mails SET due_at = now() - interval '1 s' WHERE status = 'WAITING'");
  parley.app.get(Outbox).onQueued();
}
