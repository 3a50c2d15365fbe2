import { Body, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ReadDto, ReadResponse, TypingDto, TypingResponse } from '../signals.dto.js';
import { VisitorAnswers } from '../../bot-connections/engine/visitor-answers.service.js';
import { PersonRequestsService } from '../../handoff/person-requests.service.js';
import { Transcripts } from '../../mail/kinds/transcripts.service.js';
import { Unsubscribing } from '../../mail/model/unsubscribing.service.js';
import { VisitorTyping } from '../../live/typing/visitor-typing.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BODY, Describes } from '../describes.js';
import { MessagesQuery, MessagesResponse, StoredMessageResponse } from '../messages.dto.js';
import { VisitorLimits } from '../../auth/limits/visitor-limits.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorChatsService } from '../../visitor-chats/visitor-chats.service.js';
import {
  ClosedChatResponse,
  GivenMessageRatingResponse,
  GivenRatingResponse,
  MessageRatingsResponse,
  OpenedChatResponse,
  PersonRequestResponse,
  StoppedAnswerResponse,
  VisitorChatsResponse,
} from './chats.dto.js';
import { OpenChatsService } from './open-chats.service.js';
import { CurrentVisitor } from '../../auth/visitors/visitor.guard.js';
import { VisitorApi } from './visitor-api.decorator.js';
import { OpenChatDto, RateDto, RateMessageDto, VisitorMessageDto } from './visitors.dto.js';

/** The socket's requests over REST, for clients that cannot open a socket (CONTRACT: Visitors). */
@VisitorApi('chats', 'Chats')
export class VisitorChatsController {
  constructor(
    private readonly chats: VisitorChatsService,
    private readonly openChats: OpenChatsService,
    private readonly typing: VisitorTyping,
    private readonly people: PersonRequestsService,
    private readonly answers: VisitorAnswers,
    private readonly transcripts: Transcripts,
    private readonly unsubscribing: Unsubscribing,
    private readonly limits: VisitorLimits,
  ) {}

  @Post()
  @Describes('openChat', 201, OpenedChatResponse, {
    summary: 'Open a chat',
    description:
      "Opens the named chat, or the visitor's open chat, or a new one, and returns its messages after `afterSeq`.",
    problems: [...BODY, 'not_found', 'conflict'],
  })
  open(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Context() context: RequestContext,
    @Body() body: OpenChatDto,
  ): Promise<OpenedChatResponse> {
    return this.openChats.open(visitor, context, body);
  }

  @Get()
  @Describes('listChats', 200, VisitorChatsResponse, {
    summary: "List the visitor's chats",
    description: 'Newest first.',
    problems: ['validation_failed'],
  })
  async list(@CurrentVisitor() visitor: VisitorIdentity, @Query() query: PageQuery): Promise<VisitorChatsResponse> {
    const { items, nextCursor } = await this.openChats.list(visitor, query);
    const { organizationId, visitorId } = visitor;
    const isUnsubscribed = (await this.unsubscribing.findUnsubscribed(organizationId, visitorId)) !== null;
    return { chats: items, nextCursor, isUnsubscribed };
  }

  @Get(':chatId/messages')
  @Describes('listMessages', 200, MessagesResponse, {
    summary: 'List the messages of a chat',
    description: 'In order of `seq`. Ask again after the last one while `hasMore` is true.',
    problems: ['validation_failed', 'not_found'],
  })
  sync(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Query() { afterSeq, limit }: MessagesQuery,
  ): Promise<MessagesResponse> {
    return this.chats.sync(visitor, chatId, afterSeq, limit);
  }

  @Post(':chatId/messages')
  @Describes('sendMessage', 201, StoredMessageResponse, {
    summary: 'Send a message',
    description:
      'The same `clientMessageId` never stores a second message. A message to a chat that has ended reopens it.',
    problems: [...BODY, 'not_found', 'offer_over'],
  })
  async send(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
    @Body() body: VisitorMessageDto,
  ): Promise<StoredMessageResponse> {
    return { message: await this.chats.send(visitor, context, chatId, body) };
  }

  @Post(':chatId/close')
  @HttpCode(200)
  @Describes('closeChat', 200, ClosedChatResponse, {
    summary: 'Close a chat',
    description: 'Closing a chat that has ended changes nothing.',
    problems: [...BODY, 'not_found'],
  })
  async close(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
  ): Promise<ClosedChatResponse> {
    return { chat: await this.chats.close(visitor, context, chatId) };
  }

  @Post(':chatId/handoff')
  @HttpCode(200)
  @Describes('requestPerson', 200, PersonRequestResponse, {
    summary: 'Ask for a person',
    description:
      'The bots get `handoff.requested`. If none reacts within 10 s, the chat is transferred to its group. Repeating it changes nothing.',
    problems: [...BODY, 'not_found', 'handoff_off', 'conflict'],
  })
  async requestPerson(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
  ): Promise<PersonRequestResponse> {
    return { chat: await this.people.request(visitor, context, chatId) };
  }

  @Post(':chatId/answer/stop')
  @HttpCode(200)
  @Describes('stopAnswer', 200, StoppedAnswerResponse, {
    summary: 'Stop the answer of a bot',
    description:
      'What the visitor could read of it becomes its message. A bot that calls the bot API learns of it with its next live text, within 60 s.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async stopAnswer(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
  ): Promise<StoppedAnswerResponse> {
    return { isStopped: await this.answers.stop(visitor, context, chatId) };
  }

  @Post(':chatId/answer/retry')
  @HttpCode(202)
  @Describes('retryAnswer', 202, null, {
    summary: 'Ask a bot for another answer',
    description:
      'To the same messages of the visitor, up to 30 times; the earlier answer stays. Repeating it before the answer changes nothing.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  retryAnswer(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
  ): Promise<void> {
    return this.answers.retry(visitor, context, chatId);
  }

  @Post(':chatId/transcript')
  @HttpCode(202)
  @Describes('sendTranscript', 202, null, {
    summary: 'Send a transcript of a chat',
    description: "By e-mail to the visitor's address, at most 5 an hour for a chat, and 10 for a visitor.",
    problems: [...BODY, 'not_found', 'mail_off', 'no_address'],
  })
  async sendTranscript(@CurrentVisitor() visitor: VisitorIdentity, @Id('chatId') chatId: string): Promise<void> {
    await this.chats.get(visitor, chatId);
    await this.limits.transcripts.spend(visitor.visitorId);
    await this.transcripts.request(visitor.organizationId, chatId, 'visitor');
  }

  @Post(':chatId/resubscribe')
  @HttpCode(204)
  @Describes('resubscribe', 204, null, {
    summary: 'Get e-mails again',
    description:
      'For a visitor who unsubscribed, and whose address is verified. Repeating it changes nothing. It counts as a transcript: at most 10 an hour for a visitor.',
    problems: [...BODY, 'not_found', 'mail_off', 'no_address'],
  })
  async resubscribe(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
  ): Promise<void> {
    await this.chats.get(visitor, chatId);
    await this.limits.transcripts.spend(visitor.visitorId);
    await this.unsubscribing.resubscribeVisitor(context, chatId, visitor.visitorId);
  }

  @Post(':chatId/rating')
  @HttpCode(200)
  @Describes('rateChat', 200, GivenRatingResponse, {
    summary: 'Rate a chat that has ended',
    description: 'Call it again within a day to change the rating, up to 10 times.',
    problems: [...BODY, 'not_found', 'rating_off', 'not_ended', 'rating_over'],
  })
  async rate(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
    @Body() body: RateDto,
  ): Promise<GivenRatingResponse> {
    return { rating: await this.chats.rate(visitor, context, chatId, body) };
  }

  @Put(':chatId/messages/:messageId/rating')
  @Describes('rateMessage', 200, GivenMessageRatingResponse, {
    summary: "Rate a bot's message",
    description: 'Call it again to change the rating, up to 10 times. Repeating the same one changes nothing.',
    problems: [...BODY, 'not_found', 'rating_off', 'rating_over', 'conflict'],
  })
  async rateMessage(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Id('messageId') messageId: string,
    @Context() context: RequestContext,
    @Body() body: RateMessageDto,
  ): Promise<GivenMessageRatingResponse> {
    return { rating: await this.chats.rateMessage(visitor, context, chatId, messageId, body) };
  }

  @Get(':chatId/ratings')
  @Describes('listMessageRatings', 200, MessageRatingsResponse, {
    summary: "List the visitor's ratings of messages",
    description: 'In the order of the messages.',
    problems: ['not_found'],
  })
  async listRatings(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
  ): Promise<MessageRatingsResponse> {
    return { ratings: await this.chats.listMessageRatings(visitor, chatId) };
  }

  @Post(':chatId/typing')
  @HttpCode(200)
  @Describes('setTyping', 200, TypingResponse, {
    summary: 'Send a typing signal',
    description:
      'Repeat it every few seconds while the visitor types. It ends by itself after 10 s, and with the message.',
    problems: [...BODY, 'not_found'],
  })
  type(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Body() body: TypingDto,
  ): Promise<TypingResponse> {
    return this.typing.report(visitor, chatId, body);
  }

  @Post(':chatId/read')
  @HttpCode(200)
  @Describes('markRead', 200, ReadResponse, {
    summary: 'Mark messages as read',
    description: 'A read mark never goes back: a lower `seq` changes nothing.',
    problems: [...BODY, 'not_found'],
  })
  read(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Body() body: ReadDto,
  ): Promise<ReadResponse> {
    return this.chats.markRead(visitor, chatId, body.seq);
  }
}
