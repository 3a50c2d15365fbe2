import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound } from '../platform/errors/problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import './organizations.events.js';
import { changeSettings, findSettings, lockSettings } from './widget-settings.queries.js';
import {
  type StoredWidgetSettings,
  type WidgetSettings,
  type WidgetSettingsChange,
  withDefaults,
} from './widget-settings.js';

/** The settings of organizations' widgets (CONTRACT: Widget settings). */
@Injectable()
export class WidgetSettingsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /** @param manager of a transaction, whose connection is used. @throws Problem not_found */
  async get(organizationId: string, manager = this.manager): Promise<WidgetSettings> {
    const row = (await findSettings(manager, organizationId)) ?? notFound('Organization');
    return withDefaults(row.settings);
  }

  /** Changes only the given settings; null resets one to its default. @throws Problem not_found */
  async change(
    organizationId: string,
    change: WidgetSettingsChange,
    hooks: ChangeHooks<WidgetSettings> = NO_HOOKS,
  ): Promise<WidgetSettings> {
    const given = Object.entries(change);
    const made = Object.fromEntries(given.filter(([, value]) => value !== null)) as StoredWidgetSettings;
    const removed = given.filter(([, value]) => value === null).map(([name]) => name);
    return transaction(this.manager, async (tx) => {
      const before = withDefaults(((await lockSettings(tx, organizationId)) ?? notFound('Organization')).settings);
      hooks.before(before);
      const after = withDefaults(await changeSettings(tx, organizationId, made, removed));
      await hooks.record(tx, before, after);
      this.events.emit('organization.widgetChanged', { organizationId }, tx);
      return after;
    });
  }
}
