import { Controller, Delete, Get, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiCookieAuth, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { AgentGuard, CurrentAgent } from '../../auth/agents/agent.guard.js';
import type { Uploader } from '../../files/file.js';
import { FilesService } from '../../files/files.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { Describes } from '../describes.js';
import { CompletedFileResponse, SendFileQuery, StartedUploadResponse, StartUploadDto } from '../files.dto.js';
import { UploadBodyGuard } from '../../platform/http/requests/waiting-body.js';
import { COMPLETE_UPLOAD, REMOVE_UPLOAD, START_UPLOAD, UPLOAD_BYTES, UPLOAD_MS, UploadsOf } from '../uploads-of.js';
import { AgentApi } from './agent-api.decorator.js';

/** Files that agents send (CONTRACT: Files). */
@Controller('api/agent/uploads')
@UseGuards(AgentGuard, UploadBodyGuard)
@ApiTags('Files')
@ApiBearerAuth('agentSession')
@ApiCookieAuth('agentCookie')
@ApiProblems('unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'unavailable')
export class AgentUploadsController {
  constructor(
    private readonly uploads: UploadsOf,
    private readonly inbox: InboxService,
  ) {}

  @Post()
  @RouteLimits({ bytes: UPLOAD_BYTES })
  @ApiBody({ type: StartUploadDto })
  @Describes('startUpload', 201, [StartedUploadResponse, CompletedFileResponse], START_UPLOAD)
  create(
    @CurrentAgent() agent: AgentIdentity,
    @Query() query: SendFileQuery,
    @Req() { body }: Request,
  ): Promise<StartedUploadResponse | CompletedFileResponse> {
    return this.uploads.create(uploaderOf(agent), query, body, (chatId) => this.inbox.getSeenChat(agent, chatId));
  }

  @Post(':uploadId/complete')
  @HttpCode(200)
  @RouteLimits({ deadlineMs: UPLOAD_MS })
  @ApiParam({ name: 'uploadId' })
  @Describes('completeUpload', 200, CompletedFileResponse, COMPLETE_UPLOAD)
  complete(@CurrentAgent() agent: AgentIdentity, @Id('uploadId') id: string): Promise<CompletedFileResponse> {
    return this.uploads.complete(uploaderOf(agent), id);
  }

  @Delete(':uploadId')
  @HttpCode(204)
  @ApiParam({ name: 'uploadId' })
  @Describes('removeUpload', 204, null, REMOVE_UPLOAD)
  remove(@CurrentAgent() agent: AgentIdentity, @Id('uploadId') id: string): Promise<void> {
    return this.uploads.remove(uploaderOf(agent), id);
  }
}

/** Files of chats, with fresh addresses (CONTRACT: Uploads). */
@AgentApi('/files', 'Files')
export class AgentFilesController {
  constructor(
    private readonly files: FilesService,
    private readonly inbox: InboxService,
  ) {}

  @Get(':fileId')
  @ApiParam({ name: 'fileId' })
  @Describes('getFile', 200, CompletedFileResponse, {
    summary: 'Get a file with a fresh address',
    description: 'Of a message or note in a chat that the agent may see, or of an own upload.',
    problems: ['not_found'],
  })
  async get(@CurrentAgent() agent: AgentIdentity, @Id('fileId') id: string): Promise<CompletedFileResponse> {
    const maySee = async (use: { chatId: string }) => (await this.inbox.findSeenChat(agent, use.chatId)) !== null;
    return { file: await this.files.get(uploaderOf(agent), id, maySee) };
  }
}

function uploaderOf({ organizationId, agentId }: AgentIdentity): Uploader {
  return { organizationId, type: 'AGENT', id: agentId, address: null };
}
