import type { Pool } from 'pg';
import {
  failRenewal,
  findAuthorization,
  leaseRenewal,
  replaceAuthorization,
  storeAuthorization,
} from '../../src/mail/oauth/mail-authorization.queries.js';
import {
  createMailbox,
  leaseMailbox,
  noteMailbox,
  releaseMailbox,
  renewMailbox,
} from '../../src/mail/receiving/mailbox.queries.js';
import { POOL } from '../../src/platform/database/pool.js';
import type { Parley } from '../support/parley.js';

/** Runs the statements of the mailbox and of tokens, which need servers of their own otherwise. */
export async function exerciseMailbox(parley: Parley): Promise<void> {
  const pool = parley.app.get<Pool>(POOL);
  await createMailbox(pool, 'mailbox');
  await leaseMailbox(pool, 'mailbox', 'node');
  await renewMailbox(pool, 'mailbox', 'node');
  await noteMailbox(pool, 'mailbox', 'node', { uidValidity: 1, lastUid: 1, failures: 0 });
  await releaseMailbox(pool, 'mailbox', 'node');
  const [sealed, next] = [Buffer.from('one'), Buffer.from('other')];
  await storeAuthorization(pool, 'client', sealed, new Date());
  await findAuthorization(pool, 'client');
  await leaseRenewal(pool, 'client', sealed, 1_000);
  await failRenewal(pool, 'client', sealed, 'refused', new Date());
  await replaceAuthorization(pool, 'client', sealed, next, new Date());
  await parley.query("DELETE FROM mail_authorizations WHERE key = 'client'");
}
