import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { notFound } from '../platform/errors/problem.js';
import { findTimeZone } from '../platform/locale/time-zone.js';
import { randomText } from '../platform/lib/secrets.js';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { transaction } from '../platform/database/transaction.js';
import { mailSettingsAfter, type MailSettingsChange } from './mail-settings.js';
import { type GivenHours, toOfficeHours } from './office-hours.js';
import { storeOpening } from './office-hours.queries.js';
import { IdentitySecretsService } from './identity-secrets.service.js';
import { FILE_QUOTA, Organization } from './organization.entity.js';
import './organizations.events.js';

const DEFAULT_GROUP_NAME = 'General';
/** The limits of a new organization, in seconds. */
const LIMITS = { botSilenceSeconds: 120, botReplySeconds: 0, lateAfterSeconds: 300 };

export interface NewOrganization {
  name: string;
  /** Web origins that may embed the chat; empty: any. */
  allowedOrigins?: string[];
  /** Days until messages are removed; null: forever. */
  retentionDays?: number | null;
  /** Whether a chat's agent sees what the visitor is typing (CONTRACT: Live text). */
  typingPreview?: boolean;
  storeAddresses?: boolean;
  /** Whether its bots may only act in chats that they have (CONTRACT: Transfers). */
  onlyOwnChats?: boolean;
  /** Whether its visitors may send files (CONTRACT: Files). */
  visitorUploads?: boolean;
  /** The bytes of files that it may store; null: no limit. */
  fileQuota?: number | null;
}

export interface OrganizationChange extends Partial<NewOrganization> {
  /** The IANA time zone of reports, one that `findTimeZone` finds. */
  timeZone?: string;
  /** After how many minutes without input an agent becomes AWAY; 0: never. */
  awayAfterMinutes?: number;
  /** After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never (CONTRACT: Silent bots). */
  botSilenceSeconds?: number;
  /** After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never. */
  botReplySeconds?: number;
  /** After how many seconds without an answer a chat that an agent has counts as late. */
  lateAfterSeconds?: number;
  /** When people answer, in groups without hours of their own; null: always. */
  officeHours?: GivenHours | null;
  /** What it says about its mails. Omitted fields stay as they are. */
  mail?: MailSettingsChange;
}

/** Tenants (CONTRACT: Admin API). */
@Injectable()
export class OrganizationsService {
  constructor(
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly events: DomainEventBus,
    private readonly secrets: IdentitySecretsService,
  ) {}

  /** Creates an organization with its default group "General". The identity secret cannot be shown again. */
  async create(
    { name, allowedOrigins = [], retentionDays = null, ...flags }: NewOrganization,
    hooks: ChangeHooks<Organization> = NO_HOOKS,
    id = newId('org'),
  ) {
    const { identitySecret, sealed } = this.secrets.make(id);
    const createdAt = new Date();
    const widgetKey = `prl_wk_${randomText(24)}`;
    const times = { timeZone: 'UTC', officeHours: null, awayAfterMinutes: 0, ...LIMITS };
    const { typingPreview = false, storeAddresses = true, onlyOwnChats = false } = flags;
    const { visitorUploads = false, fileQuota = FILE_QUOTA } = flags;
    const settings = {
      allowedOrigins,
      retentionDays,
      ...times,
      typingPreview,
      storeAddresses,
      onlyOwnChats,
      visitorUploads,
      fileQuota,
    };
    const row = { id, name, widgetKey, ...settings, mailSettings: null, createdAt } as unknown as Organization;
    await transaction(this.organizations.manager, async (tx) => {
      await tx.insert(Organization, { ...row, identitySecret: sealed });
      const group = { organizationId: row.id, id: newId('grp'), name: DEFAULT_GROUP_NAME, isDefault: true, createdAt };
      await tx.insert('groups', group);
      await hooks.record(tx, null, row);
    });
    return { row, identitySecret };
  }

  async list<T>({ limit, cursor = '' }: PageQuery, map: (row: Organization) => T): Promise<Page<T>> {
    const rows = await this.organizations.find({
      where: { id: MoreThan(cursor), deletedAt: IsNull() },
      order: { id: 'ASC' },
      take: limit + 1,
    });
    return toPage(rows, limit, map);
  }

  async get(id: string): Promise<Organization> {
    return (await this.organizations.findOneBy({ id, deletedAt: IsNull() })) ?? notFound('Organization');
  }

  /** What concerns visitors: whether agents see what they're typing, and whether they may send files. */
  async getOfVisitors(id: string): Promise<{ typingPreview: boolean; visitorUploads: boolean }> {
    const select = { id: true, typingPreview: true, visitorUploads: true } as const;
    const { typingPreview = false, visitorUploads = false } =
      (await this.organizations.findOne({ where: { id }, select })) ?? {};
    return { typingPreview, visitorUploads };
  }

  /** The organization of a public widget key. @throws Problem not_found */
  async getByWidgetKey(widgetKey: string): Promise<Organization> {
    return (
      (await this.organizations.findOneBy({ widgetKey, deletedAt: IsNull() })) ??
      notFound('Organization with this widget key')
    );
  }

  /**
   * Changes only the given fields, so that concurrent changes of different fields all take effect.
   * @throws Problem not_found
   */
  async update(
    id: string,
    { name, allowedOrigins, retentionDays, timeZone, officeHours: hours, mail, ...flags }: OrganizationChange,
    hooks: ChangeHooks<Organization> = NO_HOOKS,
  ): Promise<Organization> {
    const { typingPreview, storeAddresses, onlyOwnChats, visitorUploads, fileQuota, ...limits } = flags;
    const officeHours = hours && toOfficeHours(hours);
    const times = { timeZone: timeZone && findTimeZone(timeZone)!, officeHours, ...limits };
    const uploads = { visitorUploads, fileQuota };
    const given = {
      name,
      allowedOrigins,
      retentionDays,
      ...times,
      typingPreview,
      storeAddresses,
      onlyOwnChats,
      ...uploads,
    };
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const { before, organization } = await transaction(this.organizations.manager, async (tx) => {
      const before = await this.lock(tx, id);
      hooks.before(before);
      const change = {
        ...fields,
        ...(mail && { mailSettings: mailSettingsAfter(before.mailSettings, mail, new Date()) }),
      };
      if (Object.keys(change).length > 0) await tx.update(Organization, { id }, change);
      if (officeHours !== undefined) await storeOpening(tx, id, officeHours, null);
      const after = { ...before, ...change };
      await hooks.record(tx, before, after);
      return { before, organization: after };
    });
    if (allowedOrigins !== undefined) await this.emitOriginsChanged(id);
    const shown = [name, allowedOrigins, officeHours, visitorUploads, mail];
    if (shown.some((value) => value !== undefined))
      this.events.emit('organization.widgetChanged', { organizationId: id });
    if (before.storeAddresses && storeAddresses === false)
      this.events.emit('organization.addressesOff', { organizationId: id });
    return organization;
  }

  // Reads the stored origins, so that after concurrent changes the last event has the final ones.
  private async emitOriginsChanged(id: string): Promise<void> {
    const { allowedOrigins } = await this.get(id);
    this.events.emit('organization.originsChanged', { organizationId: id, allowedOrigins });
  }

  /** Locks the organization's row until the transaction ends, so that its groups change one at a time. */
  async lock(tx: EntityManager, id: string): Promise<Organization> {
    const lock = { mode: 'for_no_key_update' } as const;
    return (await tx.findOne(Organization, { where: { id, deletedAt: IsNull() }, lock })) ?? notFound('Organization');
  }
}
