import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditService } from '../../auth/audit/audit.service.js';
import { type RequestContext, socketContext, systemContext } from '../../auth/context/request-context.js';
import '../../chats/model/chats.events.js';
import { isOpen } from '../../chats/model/chat-status.js';
import { ChatTransitions } from '../../chats/moves/chat-transitions.service.js';
import { removeFiles } from '../../files/removals.queries.js';
import { FileRemovals } from '../../files/removals.service.js';
import { useFiles } from '../../files/used-files.js';
import { ClosingService } from '../../messages/closing.service.js';
import type { MessageView } from '../../messages/message.js';
import { MessagesService } from '../../messages/messages.service.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import { clearBounce } from '../../visitors/address-status.queries.js';
import { type AnsweredMail, isStillOwn } from './answered-mails.queries.js';
import type { StoredAttachments } from './inbound-files.js';
import type { InboundResult } from './inbound-mail.js';
import {
  changeMailsToCheck,
  endCheck,
  findVisitorOfChat,
  insertInbound,
  type OldMail,
  releaseFiles,
  removeInbound,
  setMessage,
} from './inbound-mails.queries.js';
import { contentOf, fullTextOf } from './message-text.js';

/** What someone wrote in answer to a mail. */
export interface Answer {
  answered: AnsweredMail;
  key: string;
  from: string | null;
  /** Their own words. */
  text: string;
  /** The same with quotes and signature. */
  whole: string;
  attachments: StoredAttachments;
}

/** Another node has stored the same mail. */
class Known extends Error {}
/** Since the mail was read, the visitor was blocked or erased, or has another address. */
class Changed extends Error {}

/** Stores answers by mail, each with all its effects in one transaction (CONTRACT: E-mail). */
@Injectable()
export class InboundStore {
  constructor(
    private readonly manager: EntityManager,
    private readonly messages: MessagesService,
    private readonly closing: ClosingService,
    private readonly transitions: ChatTransitions,
    private readonly events: DomainEventBus,
    private readonly audit: AuditService,
    private readonly removals: FileRemovals,
  ) {}

  /** Makes an answer the visitor's message. An ended chat is reopened. If the address is no longer the visitor's, agents check it. */
  async storeMessage(answer: Answer): Promise<InboundResult> {
    try {
      return await this.storeOwn(answer);
    } catch (error) {
      if (error instanceof Changed) return this.storeToCheck(answer);
      throw error;
    }
  }

  private storeOwn(answer: Answer): Promise<InboundResult> {
    const { organizationId, visitorId, visitorName: name, chatId } = answer.answered;
    const context = socketContext(organizationId, { type: 'VISITOR', id: visitorId, name });
    return unlessKnown('stored', async () =>
      transaction(this.manager, async (tx) => {
        if (!(await isStillOwn(tx, answer.answered))) throw new Changed();
        const content = contentOf(answer.text, answer.attachments.named);
        const files = answer.attachments.stored.map(({ id }) => id);
        const { id: messageId } = await this.messages.storeFromVisitor(tx, context, chatId!, { content, files });
        const fullText = fullTextOf(answer.whole, content);
        const row = { ...rowOf(answer), id: newId('inm'), messageId, fullText, status: 'STORED' } as const;
        if (!(await insertInbound(tx, row))) throw new Known();
        await clearBounce(tx, organizationId, answer.answered.recipient);
      }),
    );
  }

  /** Stores an answer for agents to check. An ended chat is reopened for the agents of its group. */
  storeToCheck(answer: Answer): Promise<InboundResult> {
    const { organizationId, visitorId, chatId } = answer.answered;
    const context = systemContext(organizationId);
    return unlessKnown('to_check', () =>
      transaction(this.manager, async (tx) => {
        const chat = await this.transitions.lockExisting(tx, context, chatId!);
        const content = contentOf(answer.text, answer.attachments.named);
        const id = newId('inm');
        const ids = answer.attachments.stored.map((file) => file.id);
        const uploader = { organizationId, type: 'VISITOR', id: visitorId! } as const;
        const files = ids.length === 0 ? null : await useFiles(tx, uploader, chatId!, ids, id);
        const fullText = fullTextOf(answer.whole, content);
        const row = { ...rowOf(answer), id, content, fullText, files, status: 'TO_CHECK' } as const;
        if (!(await insertInbound(tx, row))) throw new Known();
        if (!isOpen(chat.status)) await this.closing.reopenForAgents(tx, context, chat);
        await this.changeCount(tx, organizationId, chatId!, 1);
      }),
    );
  }

  /** Makes a mail that was to be checked the visitor's message. @throws Problem not_found */
  accept(context: RequestContext, chatId: string, id: string): Promise<MessageView> {
    const { organizationId } = context;
    return transaction(this.manager, async (tx) => {
      await this.transitions.lockExistingWithBot(tx, context, chatId);
      const mail = (await endCheck(tx, organizationId, chatId, id, 'ACCEPTED')) ?? notFound('Mail');
      await releaseFiles(tx, organizationId, chatId, id);
      const visitor = (await findVisitorOfChat(tx, organizationId, chatId)) ?? notFound('Chat');
      const acting = socketContext(organizationId, { type: 'VISITOR', ...visitor });
      const files = mail.files?.map((file) => file.id);
      const message = await this.messages.storeFromVisitor(tx, acting, chatId, { content: mail.content, files });
      await setMessage(tx, organizationId, id, message.id);
      await this.audit.record(context, { action: 'mail.accepted', target: id }, tx);
      await this.changeCount(tx, organizationId, chatId, -1);
      return message;
    });
  }

  /** Drops a mail that was to be checked, and its files. @throws Problem not_found */
  async drop(context: RequestContext, chatId: string, id: string): Promise<void> {
    await transaction(this.manager, async (tx) => {
      await this.transitions.lockExisting(tx, context, chatId);
      if (!(await this.endCheck(tx, context.organizationId, chatId, id))) notFound('Mail');
      await this.audit.record(context, { action: 'mail.dropped', target: id }, tx);
    });
    this.removals.wake();
  }

  /** Removes a mail that's kept no longer. */
  async removeOld({ organizationId, id, chatId }: OldMail): Promise<void> {
    await transaction(this.manager, async (tx) => {
      if (chatId !== null) {
        const isKept = await this.lockUnlessErased(tx, organizationId, chatId);
        if (!isKept) await removeFiles(tx, organizationId, { usedBy: [id], chatId });
        else if (!(await this.endCheck(tx, organizationId, chatId, id))) return;
      }
      await removeInbound(tx, organizationId, id);
    });
  }

  private async lockUnlessErased(tx: EntityManager, organizationId: string, chatId: string): Promise<boolean> {
    try {
      await this.transitions.lockExisting(tx, systemContext(organizationId), chatId);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return false;
      throw error;
    }
  }

  private async endCheck(tx: EntityManager, organizationId: string, chatId: string, id: string): Promise<boolean> {
    if (!(await endCheck(tx, organizationId, chatId, id, 'DROPPED'))) return false;
    await this.changeCount(tx, organizationId, chatId, -1);
    await removeFiles(tx, organizationId, { usedBy: [id], chatId });
    return true;
  }

  private async changeCount(tx: EntityManager, organizationId: string, chatId: string, change: number): Promise<void> {
    await changeMailsToCheck(tx, organizationId, chatId, change);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
  }
}

function rowOf({ answered: { organizationId, chatId, mailId }, key, from }: Answer) {
  return { organizationId, chatId, mailId, key, sender: from, receivedAt: new Date() };
}

async function unlessKnown(status: 'stored' | 'to_check', work: () => Promise<void>): Promise<InboundResult> {
  try {
    await work();
    return { status };
  } catch (error) {
    if (error instanceof Known) return { status: 'duplicate' };
    throw error;
  }
}
