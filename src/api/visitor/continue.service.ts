import { Injectable } from '@nestjs/common';
import { VisitorLinks } from '../../mail/model/visitor-links.service.js';
import { SessionsService } from './sessions.service.js';
import type { VisitorSessionResponse } from './visitors.dto.js';

/** Signs a device in by a link to continue a chat. */
@Injectable()
export class ContinueService {
  constructor(
    private readonly links: VisitorLinks,
    private readonly sessions: SessionsService,
  ) {}

  /** A blocked visitor's link stays usable. @throws Problem not_found; blocked */
  async continue(token: string): Promise<VisitorSessionResponse> {
    const { organizationId, visitorId } = await this.links.get(token);
    const session = await this.sessions.resume(organizationId, visitorId);
    await this.links.use(token);
    return session;
  }
}
