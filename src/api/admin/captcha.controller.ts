import { Body, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { versionedCaptcha } from '../../organizations/captcha/captcha.js';
import { CaptchaService } from '../../organizations/captcha/captcha.service.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { BODY, Describes } from '../describes.js';
import { IfMatch } from '../versioned.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { CaptchaDto, CaptchaSettingResponse, hooksOf, toCaptcha } from './captcha.dto.js';
import { Organization } from './organization.pipe.js';

/** The captcha of new visitors (CONTRACT: Widget settings). */
@AdminApi('/:organizationId/captcha', 'Widget')
export class CaptchaController {
  constructor(
    private readonly captchas: CaptchaService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Describes('getCaptcha', 200, CaptchaSettingResponse, {
    summary: 'Get the captcha of new visitors',
    description: 'Never its secret. `ETag` is its version without the secret, for `If-Match`.',
    isVersioned: true,
    versioned: versionedCaptcha,
  })
  async get(@Organization() organizationId: string): Promise<CaptchaSettingResponse> {
    return { captcha: await this.captchas.get(organizationId) };
  }

  @Put()
  @Describes('setCaptcha', 200, CaptchaSettingResponse, {
    summary: 'Set the captcha of new visitors',
    description: 'A new anonymous visitor then needs a response of the provider to start a session.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
    versioned: versionedCaptcha,
  })
  async set(
    @AdminContext() context: RequestContext,
    @IfMatch() precondition: Precondition | null,
    @Body() body: CaptchaDto,
  ): Promise<CaptchaSettingResponse> {
    const hooks = hooksOf(this.audit, context, precondition);
    return { captcha: await this.captchas.set(context.organizationId, toCaptcha(body), body.secret, hooks) };
  }

  @Delete()
  @HttpCode(204)
  @Describes('removeCaptcha', 204, null, {
    summary: 'Remove the captcha of new visitors',
    description: 'Repeating it changes nothing.',
    problems: ['not_found'],
  })
  remove(@AdminContext() context: RequestContext, @IfMatch() precondition: Precondition | null): Promise<void> {
    return this.captchas.remove(context.organizationId, hooksOf(this.audit, context, precondition));
  }
}
