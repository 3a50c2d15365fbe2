import { Get, HttpCode, Post } from '@nestjs/common';
import { ApiParam, ApiProperty } from '@nestjs/swagger';
import type { RequestContext } from '../../auth/context/request-context.js';
import { SearchRebuilds } from '../../search/index/rebuilds.service.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';

class SearchIndexResponse {
  @ApiProperty({ description: 'Whether nodes are listing all chats for the index. Changes are found all the same' })
  isRebuilding!: boolean;
}

/** The index of an organization's words (CONTRACT: Search). */
@AdminApi('/:organizationId/search', 'Organizations')
export class SearchIndexController {
  constructor(private readonly rebuilds: SearchRebuilds) {}

  @Get()
  @ApiParam({ name: 'organizationId' })
  @Describes('getSearchIndex', 200, SearchIndexResponse, {
    summary: 'Get the state of the search index',
    description: 'Whether it is being rebuilt.',
  })
  async get(@AdminContext() { organizationId }: RequestContext): Promise<SearchIndexResponse> {
    return { isRebuilding: await this.rebuilds.isRunning(organizationId) };
  }

  @Post('rebuild')
  @HttpCode(202)
  @ApiParam({ name: 'organizationId' })
  @Describes('rebuildSearchIndex', 202, SearchIndexResponse, {
    summary: 'Rebuild the search index',
    description: 'In the background. Searches work while it goes on, and find the same.',
  })
  async rebuild(@AdminContext() { organizationId }: RequestContext): Promise<SearchIndexResponse> {
    await this.rebuilds.begin(organizationId);
    return { isRebuilding: true };
  }
}
