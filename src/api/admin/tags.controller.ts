import { Body, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import type { RequestContext } from '../../auth/context/request-context.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { type ChangedTag, TagsService, versionedTag } from '../../tags/tags.service.js';
import { BODY, Describes } from '../describes.js';
import { ETAG_HEADER, IfMatch } from '../versioned.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { Organization } from './organization.pipe.js';
import { MergeTagDto, TagResponse, TagsQuery, TagsResponse, UpdateTagDto } from './tags.dto.js';

const GOES_ON = 'It goes on in the background. Repeat the call to learn when it has ended';

/** Tags of chats (CONTRACT: Tags). */
@AdminApi('/:organizationId/tags', 'Tags')
export class AdminTagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  @Describes('listTags', 200, TagsResponse, {
    summary: 'List the tags of an organization',
    description: 'By name, also tags that no chat has.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(
    @Organization() organizationId: string,
    @Query() { prefix, cursor, limit }: TagsQuery,
  ): Promise<TagsResponse> {
    const { items, nextCursor } = await this.tags.list(organizationId, { prefix, after: cursor, limit });
    return { tags: items, nextCursor };
  }

  @Get(':tagId')
  @Describes('getTag', 200, TagResponse, {
    summary: 'Get a tag',
    description: 'With how many chats have it. `ETag` is the version of its name and color, for `If-Match`.',
    isVersioned: true,
    versioned: versionedTag,
  })
  get(@Organization() organizationId: string, @Id('tagId') id: string): Promise<TagResponse> {
    return this.tags.get(organizationId, id);
  }

  @Patch(':tagId')
  @Describes('updateTag', 200, TagResponse, {
    summary: 'Rename or color a tag',
    description: 'The former name keeps its meaning. 202 while search does not find all chats by the new name.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
    versioned: versionedTag,
  })
  @ApiAcceptedResponse({ type: TagResponse, description: GOES_ON, headers: ETAG_HEADER })
  async update(
    @AdminContext() context: RequestContext,
    @Id('tagId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateTagDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TagResponse> {
    return answer(await this.tags.update(context, id, body, precondition), response);
  }

  @Post(':tagId/merge')
  @HttpCode(200)
  @Describes('mergeTag', 200, TagResponse, {
    summary: 'Merge a tag into another one',
    description: 'Every chat of the tag gets the other one, and the tag no longer exists. 202 while that goes on.',
    problems: [...BODY, 'not_found'],
  })
  @ApiAcceptedResponse({ type: TagResponse, description: GOES_ON })
  async merge(
    @AdminContext() context: RequestContext,
    @Id('tagId') id: string,
    @Body() { into }: MergeTagDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TagResponse> {
    return answer(await this.tags.merge(context, id, into), response);
  }

  @Delete(':tagId')
  @Describes('deleteTag', 204, null, {
    summary: 'Delete a tag',
    description: 'No chat has it afterwards. 202 while that goes on.',
  })
  @ApiAcceptedResponse({ description: GOES_ON })
  async delete(
    @AdminContext() context: RequestContext,
    @Id('tagId') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    response.status((await this.tags.delete(context, id)) ? 204 : 202);
  }
}

function answer({ tag, isDone }: ChangedTag, response: Response): TagResponse {
  response.status(isDone ? 200 : 202);
  return tag;
}
