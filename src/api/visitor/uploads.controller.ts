import { Controller, Delete, Get, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { CurrentVisitor, VisitorGuard } from '../../auth/visitors/visitor.guard.js';
import type { Uploader } from '../../files/file.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { Describes } from '../describes.js';
import { CompletedFileResponse, SendFileQuery, StartedUploadResponse, StartUploadDto } from '../files.dto.js';
import { UploadBodyGuard } from '../../platform/http/requests/waiting-body.js';
import { COMPLETE_UPLOAD, REMOVE_UPLOAD, START_UPLOAD, UPLOAD_BYTES, UPLOAD_MS, UploadsOf } from '../uploads-of.js';
import { VisitorApi } from './visitor-api.decorator.js';
import { VisitorFiles } from './visitor-files.service.js';

/** Files that visitors send (CONTRACT: Files). */
@Controller('api/visitor/uploads')
@UseGuards(VisitorGuard, UploadBodyGuard)
@ApiTags('Files')
@ApiBearerAuth('visitorToken')
@ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable')
export class VisitorUploadsController {
  constructor(
    private readonly uploads: UploadsOf,
    private readonly files: VisitorFiles,
  ) {}

  @Post()
  @RouteLimits({ bytes: UPLOAD_BYTES })
  @ApiBody({ type: StartUploadDto })
  @Describes('startUpload', 201, [StartedUploadResponse, CompletedFileResponse], START_UPLOAD)
  create(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Query() query: SendFileQuery,
    @Req() { body }: Request,
  ): Promise<StartedUploadResponse | CompletedFileResponse> {
    return this.uploads.create(uploaderOf(visitor), query, body, (chatId) => this.files.admit(visitor, chatId));
  }

  @Post(':uploadId/complete')
  @HttpCode(200)
  @RouteLimits({ deadlineMs: UPLOAD_MS })
  @ApiParam({ name: 'uploadId' })
  @Describes('completeUpload', 200, CompletedFileResponse, COMPLETE_UPLOAD)
  complete(@CurrentVisitor() visitor: VisitorIdentity, @Id('uploadId') id: string): Promise<CompletedFileResponse> {
    return this.uploads.complete(uploaderOf(visitor), id);
  }

  @Delete(':uploadId')
  @HttpCode(204)
  @ApiParam({ name: 'uploadId' })
  @Describes('removeUpload', 204, null, REMOVE_UPLOAD)
  remove(@CurrentVisitor() visitor: VisitorIdentity, @Id('uploadId') id: string): Promise<void> {
    return this.uploads.remove(uploaderOf(visitor), id);
  }
}

/** Files of the visitor's chats, with fresh addresses (CONTRACT: Uploads). */
@VisitorApi('files', 'Files')
export class VisitorFilesController {
  constructor(private readonly files: VisitorFiles) {}

  @Get(':fileId')
  @ApiParam({ name: 'fileId' })
  @Describes('getFile', 200, CompletedFileResponse, {
    summary: 'Get a file with a fresh address',
    description: "Of a message in the visitor's chat, or of an own upload.",
    problems: ['not_found'],
  })
  async get(@CurrentVisitor() visitor: VisitorIdentity, @Id('fileId') id: string): Promise<CompletedFileResponse> {
    return { file: await this.files.get(visitor, uploaderOf(visitor), id) };
  }
}

function uploaderOf({ organizationId, visitorId, limitKey }: VisitorIdentity): Uploader {
  return { organizationId, type: 'VISITOR', id: visitorId, address: limitKey };
}
