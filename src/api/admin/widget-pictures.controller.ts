import { Body, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { PICTURE_PLACES, type PicturePlace } from '../../organizations/picture.js';
import { WidgetPicturesService } from '../../organizations/widget-pictures.service.js';
import { notFound } from '../../platform/errors/problem.js';
import { BODY, Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { Organization } from './organization.pipe.js';
import { PictureDto, PicturesResponse, recordingOf } from './widget-pictures.dto.js';

/** The pictures of an organization's widget (CONTRACT: Widget settings). */
@AdminApi('/:organizationId/widget/pictures', 'Widget')
export class WidgetPicturesController {
  constructor(
    private readonly pictures: WidgetPicturesService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Describes('getPictures', 200, PicturesResponse, {
    summary: 'Get the names of the pictures',
    description: 'Each is at `/api/visitor/widget/pictures/{name}?key=` with the public key.',
  })
  get(@Organization() organizationId: string): Promise<PicturesResponse> {
    return this.pictures.get(organizationId);
  }

  @Put(':place')
  @Describes('setPicture', 200, PicturesResponse, {
    summary: 'Set a picture',
    description: '`place` is `launcher`, for the button, or `bot`. The same picture again changes nothing.',
    problems: [...BODY, 'not_found'],
  })
  set(
    @AdminContext() context: RequestContext,
    @Param('place') place: string,
    @Body() { content }: PictureDto,
  ): Promise<PicturesResponse> {
    return this.change(context, place, Buffer.from(content, 'base64'));
  }

  @Delete(':place')
  @HttpCode(204)
  @Describes('removePicture', 204, null, {
    summary: 'Remove a picture',
    description: 'Repeating it changes nothing.',
    problems: ['not_found'],
  })
  async remove(@AdminContext() context: RequestContext, @Param('place') place: string): Promise<void> {
    await this.change(context, place, null);
  }

  private change(context: RequestContext, place: string, content: Buffer | null): Promise<PicturesResponse> {
    const known = PICTURE_PLACES.find((one): one is PicturePlace => one === place) ?? notFound('Picture');
    return this.pictures.set(context.organizationId, known, content, recordingOf(this.audit, context));
  }
}
