import { Injectable } from '@nestjs/common';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { hasScope } from '../../auth/bots/scope.js';
import { Problem } from '../../platform/errors/problem.js';
import { SearchService } from '../../search/reading/search.service.js';
import { type SearchQuery, toSearchInput } from '../search.dto.js';
import type { BotSearchResponse } from './search.dto.js';

/** Bots' searches: in one visitor's chats, unless the token has `search:all` (CONTRACT: Search). */
@Injectable()
export class BotSearchService {
  constructor(private readonly searches: SearchService) {}

  /** @throws Problem forbidden without the scope; validation_failed; not_found for a filter by what doesn't exist */
  async find({ organizationId, scopes }: BotIdentity, query: SearchQuery): Promise<BotSearchResponse> {
    if (!hasScope(scopes, 'search:all')) checkVisitor(hasScope(scopes, 'search'), query);
    const page = await this.searches.searchAsBot(organizationId, toSearchInput(query, '?'));
    return page as unknown as BotSearchResponse;
  }
}

function checkVisitor(hasSearch: boolean, { visitorId }: SearchQuery): void {
  if (!hasSearch) throw new Problem('forbidden', "This token doesn't have the scope search");
  if (visitorId === undefined)
    throw new Problem('forbidden', 'The scope search needs visitorId; the scope search:all searches all chats');
}
