import { Body, Get, Patch } from '@nestjs/common';
import type { WidgetSettings } from '../../organizations/widget-settings.js';
import { WidgetSettingsService } from '../../organizations/widget-settings.service.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { WIDGET } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { Organization } from './organization.pipe.js';
import { WidgetResponse } from '../widget.dto.js';
import { UpdateWidgetDto } from './widget.dto.js';

/** How the widget of an organization looks and what it asks (CONTRACT: Widget settings). */
@AdminApi('/:organizationId/widget', 'Widget')
export class WidgetController {
  constructor(
    private readonly settings: WidgetSettingsService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Describes('getWidget', 200, WidgetResponse, {
    summary: 'Get the settings of the widget',
    description: '`ETag` is their version, for `If-Match`.',
    isVersioned: true,
  })
  get(@Organization() organizationId: string): Promise<WidgetSettings> {
    return this.settings.get(organizationId);
  }

  @Patch()
  @Describes('updateWidget', 200, WidgetResponse, {
    summary: 'Change the settings of the widget',
    description: 'Omitted settings stay as they are. Null resets a setting to its default.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  update(
    @AdminContext() context: RequestContext,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateWidgetDto,
  ): Promise<WidgetSettings> {
    return this.settings.change(context.organizationId, body, this.audit.hooks(context, WIDGET, precondition));
  }
}
