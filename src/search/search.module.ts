import { AttributesModule } from '../attributes/attributes.module.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { SearchFeed } from './index/feed.service.js';
import { Indexer } from './index/indexer.js';
import { SearchRebuilds } from './index/rebuilds.service.js';
import { SearchLag } from './index/search-lag.js';
import { SearchEntry } from './index/search-entry.entity.js';
import { SearchLease } from './index/search-lease.entity.js';
import { SearchService } from './reading/search.service.js';

/** Search in messages, notes, and visitors (CONTRACT: Search). */
@Module({
  imports: [AttributesModule, ChangesModule, InboxModule, TypeOrmModule.forFeature([SearchEntry, SearchLease])],
  providers: [Indexer, SearchFeed, SearchLag, SearchRebuilds, SearchService],
  exports: [SearchFeed, SearchRebuilds, SearchService],
})
export class SearchModule {}
