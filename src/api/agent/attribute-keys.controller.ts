import { Get } from '@nestjs/common';
import { AttributeKeysService } from '../../attributes/attribute-keys.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { AttributeKeysResponse } from '../attribute-filters.dto.js';
import { Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';

/** The attribute keys that filters of chats use (CONTRACT: Attributes). */
@AgentApi('/attribute-keys', 'Chats')
export class AgentAttributeKeysController {
  constructor(private readonly keys: AttributeKeysService) {}

  @Get()
  @Describes('listAttributeKeys', 200, AttributeKeysResponse, {
    summary: 'List the attribute keys for filters',
    description: 'That administrators chose, with whether each is ready.',
  })
  async list(@CurrentAgent() { organizationId }: AgentIdentity): Promise<AttributeKeysResponse> {
    return { keys: await this.keys.list(organizationId) };
  }
}
