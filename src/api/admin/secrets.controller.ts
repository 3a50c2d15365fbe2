import { HttpCode, Post, Query } from '@nestjs/common';
import { RequireAdminToken } from '../../auth/agents/admin.guard.js';
import { SecretsService } from '../../platform/cluster/secrets.service.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { BODY, Describes } from '../describes.js';
import { InstallationApi } from './admin-api.decorator.js';
import { ResealedResponse, toResealedResponse } from './secrets.dto.js';

/** The secrets that are stored for all organizations (CONTRACT: Admin API). */
@InstallationApi('secrets', 'Installation')
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  @Post('reseal')
  @RequireAdminToken()
  @HttpCode(200)
  @Describes('resealSecrets', 200, ResealedResponse, {
    summary: 'Encrypt stored secrets with SECRET_KEY',
    description:
      'Needs `ADMIN_TOKEN`. Encrypts the secrets of up to `limit` organizations again that `SECRET_KEY_PREVIOUS` encrypted. Repeat with `nextCursor` until it is null. A call can be repeated. 409 while another node still encrypts with another key.',
    problems: [...BODY, 'conflict'],
  })
  async reseal(@Query() { cursor, limit }: PageQuery): Promise<ResealedResponse> {
    return toResealedResponse(await this.secrets.reseal(cursor ?? '', limit));
  }
}
