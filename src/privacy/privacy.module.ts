import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { FilesModule } from '../files/files.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { DataRemoval } from './data-removal.js';
import { OrganizationRemovalService } from './organization-removal.service.js';
import { RemovalRecord } from './removal-record.js';
import { RetentionLag } from './retention-lag.js';
import { RetentionService } from './retention.service.js';
import { AnonymousRemovalService } from './anonymous-removal.service.js';
import { VisitorArchive } from './visitor-archive.js';
import { VisitorErasureService } from './visitor-erasure.service.js';
import { VisitorExport } from './visitor-export.js';

@Module({
  imports: [ChatsModule, FilesModule, MessagesModule, VisitorsModule],
  providers: [
    DataRemoval,
    OrganizationRemovalService,
    RemovalRecord,
    RetentionLag,
    RetentionService,
    AnonymousRemovalService,
    VisitorArchive,
    VisitorErasureService,
    VisitorExport,
  ],
  exports: [DataRemoval, VisitorArchive, VisitorExport],
})
export class PrivacyModule {}
