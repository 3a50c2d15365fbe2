import { Body, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Response } from 'express';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ChatTagsService } from '../../tags/chat-tags.service.js';
import { TagsService } from '../../tags/tags.service.js';
import { BODY, Describes } from '../describes.js';
import {
  ChangeTagsRequest,
  ChatTagsResponse,
  SetTagsRequest,
  UsedTagsQuery,
  UsedTagsResponse,
} from '../chat-changes.dto.js';
import { BotApi } from './bot-api.decorator.js';
import { ApiIdempotencyKey, ReplayedHeader } from './idempotency.dto.js';
import { IdempotencyKeyHeader, replayTo } from './idempotency-key.decorator.js';

/** Tags of chats (CONTRACT: Tags). */
@BotApi('', 'Chats')
export class TagsController {
  constructor(
    private readonly chatTags: ChatTagsService,
    private readonly tags: TagsService,
  ) {}

  @Get('tags')
  @Describes('listTags', 200, UsedTagsResponse, {
    summary: 'List the most used tags',
    description: 'Of all chats, also of ended ones.',
    problems: ['validation_failed'],
  })
  async list(
    @Context() { organizationId }: RequestContext,
    @Query() { prefix }: UsedTagsQuery,
  ): Promise<UsedTagsResponse> {
    return { tags: await this.tags.listUsed({ organizationId }, prefix) };
  }

  @Put('chats/:chatId/tags')
  @ApiParam({ name: 'chatId' })
  @Describes('setTags', 200, ChatTagsResponse, {
    summary: 'Replace the tags of a chat',
    description: 'The same tags again change nothing. Agents see tags, and the visitor does not.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  set(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { tags }: SetTagsRequest,
  ): Promise<ChatTagsResponse> {
    return this.chatTags.replace(context, chatId, tags);
  }

  @Post('chats/:chatId/tags')
  @HttpCode(200)
  @ApiParam({ name: 'chatId' })
  @ApiIdempotencyKey()
  @Describes('changeTags', 200, ChatTagsResponse, {
    summary: 'Add and remove tags of a chat',
    description: 'In one transaction. Beyond 20 tags of the chat, it is answered 409 `conflict`.',
    problems: [...BODY, 'not_found', 'conflict', 'idempotency_key_reused'],
    headers: ReplayedHeader,
  })
  change(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @IdempotencyKeyHeader() key: string | null,
    @Body() body: ChangeTagsRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ChatTagsResponse> {
    return this.chatTags.change(context, chatId, body, key).then(replayTo(response));
  }
}
