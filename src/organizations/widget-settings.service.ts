import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { notFound } from '../platform/http/problem.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import './organizations.events.js';
import { changeSettings, findSettings } from './widget-settings.queries.js';
import {
  type StoredWidgetSettings,
  type WidgetSettings,
  type WidgetSettingsChange,
  withDefaults,
} from './widget-settings.js';

/** What organizations choose for their widgets (CONTRACT section 13). */
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

  /** Changes only the given settings; null takes one back to its default. @throws Problem not_found */
  async change(organizationId: string, change: WidgetSettingsChange): Promise<WidgetSettings> {
    const given = Object.entries(change);
    const made = Object.fromEntries(given.filter(([, value]) => value !== null)) as StoredWidgetSettings;
    const removed = given.filter(([, value]) => value === null).map(([name]) => name);
    const row = (await changeSettings(this.manager, organizationId, made, removed)) ?? notFound('Organization');
    this.events.emit('organization.widgetChanged', { organizationId });
    return withDefaults(row.settings);
  }
}
