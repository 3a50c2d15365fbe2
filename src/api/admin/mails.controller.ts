import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ArrivedMails } from '../../mail/receiving/arrived-mails.service.js';
import { MailSetup } from '../../mail/model/mail-setup.js';
import { MailsService } from '../../mail/model/mails.service.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { BODY, Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { ArrivedMailsResponse, MailResponse, MailSetupResponse, MailsResponse, TestMailDto } from './mails.dto.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId', 'Mails')
export class MailsController {
  constructor(
    private readonly mails: MailsService,
    private readonly arrived: ArrivedMails,
    private readonly setup: MailSetup,
  ) {}

  @Get('mail')
  @Describes('getMailSetup', 200, MailSetupResponse, {
    summary: 'Get whether this installation sends and takes e-mails',
    description: 'Environment variables set it up.',
    problems: ['not_found'],
  })
  getSetup(@Organization() _organizationId: string): MailSetupResponse {
    const { isOn, from, takesReplies } = this.setup;
    return { isOn, from: isOn ? from!.address : null, takesReplies };
  }

  @Get('mails')
  @Describes('listMails', 200, MailsResponse, {
    summary: 'List the e-mails of an organization',
    description: 'Newest first, without their texts.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery): Promise<MailsResponse> {
    const { items, nextCursor } = await this.mails.list(organizationId, query, (row) => row);
    return { mails: items, nextCursor };
  }

  @Get('mails/arrived')
  @Describes('listArrivedMails', 200, ArrivedMailsResponse, {
    summary: 'List the e-mails that arrived for an organization',
    description: 'Newest first, without their texts. An e-mail that became no message is listed for 30 days.',
    problems: ['validation_failed', 'not_found'],
  })
  async listArrived(@Organization() organizationId: string, @Query() query: PageQuery): Promise<ArrivedMailsResponse> {
    const { items, nextCursor } = await this.arrived.list(organizationId, query, (row) => row);
    return { mails: items, nextCursor };
  }

  @Post('mail/test')
  @HttpCode(202)
  @Describes('sendTestMail', 202, MailResponse, {
    summary: 'Send a test e-mail',
    description: 'The list of e-mails says what became of it. 409 `mail_off` if mail is not set up.',
    problems: [...BODY, 'not_found', 'mail_off'],
  })
  test(@Organization() organizationId: string, @Body() { to }: TestMailDto): Promise<MailResponse> {
    return this.mails.sendTest(organizationId, to);
  }
}
