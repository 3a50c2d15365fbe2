import { Body, Get, Put } from '@nestjs/common';
import { AttributeKeysService, versionedKeys } from '../../attributes/attribute-keys.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AttributeKeysResponse } from '../attribute-filters.dto.js';
import { BODY, Describes } from '../describes.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { SetAttributeKeysDto } from './attribute-keys.dto.js';
import { Organization } from './organization.pipe.js';

/** The attribute keys that filters of chats use (CONTRACT: Attributes). */
@AdminApi('/:organizationId/attribute-keys', 'Chats')
export class AttributeKeysController {
  constructor(private readonly keys: AttributeKeysService) {}

  @Get()
  @Describes('listAttributeKeys', 200, AttributeKeysResponse, {
    summary: 'List the attribute keys for filters',
    description: 'With whether each is ready. `ETag` is the version of the keys, for `If-Match`.',
    isVersioned: true,
    versioned: versionedKeys,
  })
  async list(@Organization() organizationId: string): Promise<AttributeKeysResponse> {
    return { keys: await this.keys.list(organizationId) };
  }

  @Put()
  @Describes('setAttributeKeys', 200, AttributeKeysResponse, {
    summary: 'Set the attribute keys for filters',
    description:
      'Replaces them. A new key is ready once the existing chats are read: within 60 s up to 100,000 of them.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
    versioned: versionedKeys,
  })
  async set(
    @AdminContext() context: RequestContext,
    @IfMatch() precondition: Precondition | null,
    @Body() body: SetAttributeKeysDto,
  ): Promise<AttributeKeysResponse> {
    return { keys: await this.keys.replace(context, body.keys, precondition) };
  }
}
