import { Controller, Delete, Get, HttpCode, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BotGuard } from '../../auth/bots/bot.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import { FileDelivery } from '../../files/delivery.service.js';
import type { Uploader } from '../../files/file.js';
import { FieldNamesGuard } from '../../platform/http/requests/field-names.guard.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { Describes } from '../describes.js';
import { CompletedFileResponse, SendFileQuery, StartedUploadResponse, StartUploadDto } from '../files.dto.js';
import { deliverBytes } from '../../platform/http/responses/deliver-bytes.js';
import { BODY_MS, UploadBodyGuard } from '../../platform/http/requests/waiting-body.js';
import { COMPLETE_UPLOAD, REMOVE_UPLOAD, START_UPLOAD, UPLOAD_BYTES, UPLOAD_MS, UploadsOf } from '../uploads-of.js';
import { BotApi } from './bot-api.decorator.js';

/** Files that bots send (CONTRACT: Files). */
@Controller('api/bot/uploads')
@UseGuards(BotGuard, UploadBodyGuard, FieldNamesGuard)
@ApiTags('Files')
@ApiBearerAuth('accessToken')
@ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable')
export class BotUploadsController {
  constructor(
    private readonly uploads: UploadsOf,
    private readonly chats: ChatsService,
  ) {}

  @Post()
  @RouteLimits({ bytes: UPLOAD_BYTES })
  @ApiBody({ type: StartUploadDto })
  @Describes('startUpload', 201, [StartedUploadResponse, CompletedFileResponse], START_UPLOAD)
  create(
    @Context() context: RequestContext,
    @Query() query: SendFileQuery,
    @Req() { body }: Request,
  ): Promise<StartedUploadResponse | CompletedFileResponse> {
    const admit = (chatId: string) => this.chats.getForMessages(context.organizationId, chatId);
    return this.uploads.create(uploaderOf(context), query, body, admit);
  }

  @Post(':uploadId/complete')
  @HttpCode(200)
  @RouteLimits({ deadlineMs: UPLOAD_MS })
  @ApiParam({ name: 'uploadId' })
  @Describes('completeUpload', 200, CompletedFileResponse, COMPLETE_UPLOAD)
  complete(@Context() context: RequestContext, @Id('uploadId') id: string): Promise<CompletedFileResponse> {
    return this.uploads.complete(uploaderOf(context), id);
  }

  @Delete(':uploadId')
  @HttpCode(204)
  @ApiParam({ name: 'uploadId' })
  @Describes('removeUpload', 204, null, REMOVE_UPLOAD)
  remove(@Context() context: RequestContext, @Id('uploadId') id: string): Promise<void> {
    return this.uploads.remove(uploaderOf(context), id);
  }
}

/** The bytes of files, for bots (CONTRACT: Delivery of files). */
@BotApi('files', 'Files')
export class BotFilesController {
  constructor(private readonly delivery: FileDelivery) {}

  @Get(':fileId')
  @RouteLimits({ deadlineMs: BODY_MS })
  @ApiParam({ name: 'fileId' })
  @ApiProduces('application/octet-stream')
  @Describes('getFile', 200, null, {
    summary: 'Get the bytes of a file',
    description: 'Of a message of any chat, or of an own upload. `Range` and `If-None-Match` work.',
    problems: ['not_found'],
  })
  async get(
    @Context() context: RequestContext,
    @Id('fileId') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.delivery.ofBot(context.organizationId, context.actor.id ?? '', id);
    this.delivery.count(await deliverBytes(request, response, file));
  }
}

function uploaderOf({ organizationId, actor }: RequestContext): Uploader {
  return { organizationId, type: 'BOT', id: actor.id ?? '', address: null };
}
