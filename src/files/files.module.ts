import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatsModule } from '../chats/chats.module.js';
import { Completion } from './completion.js';
import { FileDelivery } from './delivery.service.js';
import { File } from './file.entity.js';
import { FileLinks } from './file-links.js';
import { FileMetrics } from './file-metrics.js';
import { FileRemoval } from './file-removal.entity.js';
import { FileStart } from './file-start.entity.js';
import { FileStoreRow } from './file-store.entity.js';
import { FileUsage } from './file-usage.entity.js';
import { FilesService } from './files.service.js';
import { Receiving } from './receiving.js';
import { FileRemovals, FileStartRetention } from './removals.service.js';
import { Scanner } from './scan/scanner.js';
import { CheckedStore } from './stores/checked-store.js';
import { FILE_STORE } from './stores/file-store.provider.js';
import { UploadLimits } from './upload-limits.js';
import { UploadsService } from './uploads.service.js';

/** Files that people and bots send (CONTRACT: Files). */
@Module({
  imports: [ChatsModule, TypeOrmModule.forFeature([File, FileRemoval, FileStart, FileStoreRow, FileUsage])],
  providers: [
    CheckedStore,
    Completion,
    FILE_STORE,
    FileDelivery,
    FileLinks,
    FileMetrics,
    FileRemovals,
    FilesService,
    FileStartRetention,
    Receiving,
    Scanner,
    UploadLimits,
    UploadsService,
  ],
  exports: [CheckedStore, FileDelivery, FileLinks, FileRemovals, FilesService, Scanner, UploadLimits, UploadsService],
})
export class FilesModule {}
