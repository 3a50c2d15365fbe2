import { Body, Get, Patch } from '@nestjs/common';
import type { WidgetSettings } from '../../organizations/widget-settings.js';
import { WidgetSettingsService } from '../../organizations/widget-settings.service.js';
import { AdminApi, BODY, Describes } from './admin-api.decorator.js';
import { Organization } from './organization.pipe.js';
import { UpdateWidgetDto, WidgetResponse } from './widget.dto.js';

/** How the widget of an organization looks and what it asks (CONTRACT section 13). */
@AdminApi('/:organizationId/widget', 'Widget')
export class WidgetAdminController {
  constructor(private readonly settings: WidgetSettingsService) {}

  @Get()
  @Describes('getWidget', 200, WidgetResponse, { summary: 'Read the settings of the widget' })
  get(@Organization() organizationId: string): Promise<WidgetSettings> {
    return this.settings.get(organizationId);
  }

  @Patch()
  @Describes('updateWidget', 200, WidgetResponse, {
    summary: 'Change the given settings of the widget; null takes one back',
    problems: [...BODY, 'not_found'],
  })
  update(@Organization() organizationId: string, @Body() body: UpdateWidgetDto): Promise<WidgetSettings> {
    return this.settings.change(organizationId, body);
  }
}
