import { Body, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { CaptchaService } from '../../organizations/captcha/captcha.service.js';
import { BODY, Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { CaptchaDto, CaptchaSettingResponse, recordingOf, toCaptcha } from './captcha.dto.js';
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
    description: 'Never its secret.',
  })
  async get(@Organization() organizationId: string): Promise<CaptchaSettingResponse> {
    return { captcha: await this.captchas.get(organizationId) };
  }

  @Put()
  @Describes('setCaptcha', 200, CaptchaSettingResponse, {
    summary: 'Set the captcha of new visitors',
    description: 'A new anonymous visitor then needs a response of the provider to start a session.',
    problems: [...BODY, 'not_found'],
  })
  async set(@AdminContext() context: RequestContext, @Body() body: CaptchaDto): Promise<CaptchaSettingResponse> {
    const { organizationId } = context;
    const record = recordingOf(this.audit, context);
    return { captcha: await this.captchas.set(organizationId, toCaptcha(body), body.secret, record) };
  }

  @Delete()
  @HttpCode(204)
  @Describes('removeCaptcha', 204, null, {
    summary: 'Remove the captcha of new visitors',
    description: 'Repeating it changes nothing.',
    problems: ['not_found'],
  })
  remove(@AdminContext() context: RequestContext): Promise<void> {
    return this.captchas.remove(context.organizationId, recordingOf(this.audit, context));
  }
}
