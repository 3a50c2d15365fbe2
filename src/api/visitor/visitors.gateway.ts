import { UseFilters } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  type OnGatewayInit,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import type { Namespace, Socket } from 'socket.io';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { type RequestContext, socketContext } from '../../auth/context/request-context.js';
import { ClientAddress } from '../../auth/limits/client-address.js';
import { Problem } from '../../platform/errors/problem.js';
import { AckFilter } from '../../live/connections/ack.filter.js';
import { VisitorFeed } from '../../live/feeds/visitor-feed.js';
import { SOCKET_REQUESTS } from '../../live/feeds/live-metrics.js';
import { VisitorMissedMessages } from '../../live/visitors/visitor-missed-messages.js';
import { NamespaceAuth } from '../../live/connections/namespace-auth.js';
import { inOrder, type RequestOrder } from '../../live/connections/request-order.js';
import { VisitorTyping } from '../../live/typing/visitor-typing.js';
import { VisitorAuthService, type VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorChatsService } from '../../visitor-chats/visitor-chats.service.js';
import { OpenChatsService } from './open-chats.service.js';
import { VisitorLimits } from '../../auth/limits/visitor-limits.js';
import {
  CloseChatDto,
  OpenChatDto,
  SendVisitorMessageDto,
  SyncDto,
  VisitorReadDto,
  VisitorTypingDto,
} from './visitors.dto.js';

interface SocketData extends RequestOrder {
  visitor: VisitorIdentity;
  context: RequestContext;
}
type VisitorSocket = Socket<never, never, never, SocketData>;

const REQUESTS = new Set<string>(SOCKET_REQUESTS);

/** Visitors' sockets: handshake and requests (CONTRACT: Visitors). */
@WebSocketGateway({ namespace: '/visitor' })
@UseFilters(AckFilter)
export class VisitorsGateway
  implements OnGatewayInit<Namespace>, OnGatewayConnection<VisitorSocket>, OnGatewayDisconnect<VisitorSocket>
{
  constructor(
    private readonly auth: VisitorAuthService,
    private readonly address: ClientAddress,
    private readonly chats: VisitorChatsService,
    private readonly openChats: OpenChatsService,
    private readonly limits: VisitorLimits,
    private readonly feed: VisitorFeed,
    private readonly typing: VisitorTyping,
    private readonly hints: VisitorMissedMessages,
    private readonly namespaceAuth: NamespaceAuth,
  ) {}

  afterInit(namespace: Namespace): void {
    this.feed.attach(namespace);
    this.namespaceAuth.admit<VisitorSocket>(namespace, (socket) => this.authenticate(socket));
    const elsewhere = new Problem('not_found', 'Connect to the namespace /visitor or /agent');
    namespace.server.of('/').use((_socket, next) => next(this.namespaceAuth.refuse(elsewhere)));
  }

  handleConnection(socket: VisitorSocket): void {
    this.namespaceAuth.checkRequests(socket, REQUESTS, () => this.check(socket));
  }

  handleDisconnect(socket: VisitorSocket): void {
    this.typing.leave(socket.id);
  }

  @SubscribeMessage('chat:open')
  async open(@ConnectedSocket() socket: VisitorSocket, @MessageBody() body: OpenChatDto) {
    const { visitor, context } = socket.data;
    const opened = await this.openChats.open(visitor, context, body, (chatId) => this.feed.join(socket, chatId));
    this.hints.onOpened(visitor.organizationId, opened.chat.id, opened.latestSeq, socket.id);
    this.typing.sendLiveTexts(socket.id, opened.chat.id);
    return { ok: true, ...opened };
  }

  @SubscribeMessage('message:send')
  async send(@ConnectedSocket() socket: VisitorSocket, @MessageBody() body: SendVisitorMessageDto) {
    const { visitor, context } = socket.data;
    const message = await inOrder(socket.data, 'sends', () => this.chats.send(visitor, context, body.chatId, body));
    return { ok: true, message };
  }

  @SubscribeMessage('sync')
  async sync(@ConnectedSocket() socket: VisitorSocket, @MessageBody() { chatId, afterSeq, limit }: SyncDto) {
    return { ok: true, ...(await this.chats.sync(socket.data.visitor, chatId, afterSeq, limit)) };
  }

  @SubscribeMessage('typing')
  async type(@ConnectedSocket() socket: VisitorSocket, @MessageBody() { chatId, ...report }: VisitorTypingDto) {
    await inOrder(socket.data, 'typing', () => this.typing.report(socket.data.visitor, chatId, report, socket.id));
    // The socket may have disconnected while the chat was read, and its typing would never end.
    if (!socket.connected) this.typing.leave(socket.id);
    return { ok: true };
  }

  @SubscribeMessage('read')
  async read(@ConnectedSocket() socket: VisitorSocket, @MessageBody() { chatId, seq }: VisitorReadDto) {
    await this.chats.markRead(socket.data.visitor, chatId, seq);
    return { ok: true };
  }

  @SubscribeMessage('chat:close')
  async close(@ConnectedSocket() socket: VisitorSocket, @MessageBody() { chatId }: CloseChatDto) {
    const { visitor, context } = socket.data;
    const chat = await inOrder(socket.data, 'sends', () => this.chats.close(visitor, context, chatId));
    return { ok: true, chat };
  }

  private async authenticate(socket: VisitorSocket): Promise<void> {
    const { auth, headers } = socket.handshake;
    const visitor = await this.auth.authenticate(auth.token, headers.origin, this.address.of(socket.request));
    socket.data.visitor = visitor;
    socket.data.context = socketContext(visitor.organizationId, { type: 'VISITOR', id: visitor.visitorId, name: null });
  }

  private async check(socket: VisitorSocket): Promise<void> {
    const { visitorId, limitKey, expiresAt } = socket.data.visitor;
    if (Date.now() / 1000 > expiresAt) throw unauthorized('The visitor token has expired');
    await this.limits.spend(visitorId, limitKey);
  }
}
