import { SearchFeed } from '../../../src/search/index/feed.service.js';
import type { Parley } from '../../support/parley.js';

/** Stops the search index of a node, so that a test has the only readers of changes. */
export async function stopIndexing({ app }: Parley): Promise<void> {
  await app.get(SearchFeed).stop();
}
