import { Injectable } from '@nestjs/common';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { isOpen } from '../../chats/model/chat-status.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import type { FileView, Uploader } from '../../files/file.js';
import { FilesService } from '../../files/files.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { notFound, Problem } from '../../platform/errors/problem.js';

/** What visitors may do with files (CONTRACT: Rights to files). */
@Injectable()
export class VisitorFiles {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly chats: ChatsService,
    private readonly files: FilesService,
    private readonly queue: VisitorQueue,
  ) {}

  /** @throws Problem forbidden if visitors may send no files; not_found; conflict if the chat has ended */
  admit({ organizationId, visitorId, limitKey }: VisitorIdentity, chatId: string): Promise<void> {
    return this.queue.run(limitKey, async () => {
      if (!(await this.organizations.getOfVisitors(organizationId)).visitorUploads)
        throw new Problem('forbidden', 'Visitors of this organization may not send files');
      const chat = (await this.chats.findStateOfVisitor(organizationId, visitorId, chatId)) ?? notFound('Chat');
      if (!isOpen(chat.status)) throw new Problem('conflict', 'The chat has ended');
    });
  }

  /** A file with a fresh address. @throws Problem not_found */
  get({ organizationId, visitorId, limitKey }: VisitorIdentity, reader: Uploader, id: string): Promise<FileView> {
    return this.queue.run(limitKey, () =>
      this.files.get(reader, id, async ({ chatId, isOfNote }) => {
        if (isOfNote) return false;
        return (await this.chats.findStateOfVisitor(organizationId, visitorId, chatId)) !== null;
      }),
    );
  }
}
