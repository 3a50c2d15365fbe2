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
import type { Namespace } from 'socket.io';
import { PresenceService } from '../../agents/presence.service.js';
import { AgentAuthService } from '../../auth/agents/agent-auth.service.js';
import { type RequestContext, socketContext } from '../../auth/context/request-context.js';
import { AgentTyping } from '../../live/typing/agent-typing.js';
import { ChatMessagesService } from '../../inbox/chat-messages.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { AckFilter } from '../../live/connections/ack.filter.js';
import { AgentConnections } from '../../live/agents/agent-connections.js';
import { AgentFeed, type AgentSocket } from '../../live/agent-state/agent-feed.js';
import { AgentFollows } from '../../live/agents/agent-follows.js';
import { AGENT_REQUESTS } from '../../live/feeds/live-metrics.js';
import { NamespaceAuth } from '../../live/connections/namespace-auth.js';
import { inOrder } from '../../live/connections/request-order.js';
import { MAX_MESSAGES } from '../../messages/message.js';
import { AgentSocketsService } from './agent-sockets.service.js';
import {
  AgentReadDto,
  AgentSyncDto,
  AgentTypingDto,
  FollowDto,
  InputDto,
  SendAgentMessageDto,
  UnfollowDto,
  VisibleDto,
  WatchDto,
} from './sockets.dto.js';

const REQUESTS = new Set<string>(AGENT_REQUESTS);

/** Agents' sockets: handshake and requests (CONTRACT: Agent API). */
@WebSocketGateway({ namespace: '/agent' })
@UseFilters(AckFilter)
export class AgentsGateway
  implements OnGatewayInit<Namespace>, OnGatewayConnection<AgentSocket>, OnGatewayDisconnect<AgentSocket>
{
  constructor(
    private readonly auth: AgentAuthService,
    private readonly feed: AgentFeed,
    private readonly connections: AgentConnections,
    private readonly follows: AgentFollows,
    private readonly sockets: AgentSocketsService,
    private readonly inbox: InboxService,
    private readonly chatMessages: ChatMessagesService,
    private readonly typing: AgentTyping,
    private readonly presence: PresenceService,
    private readonly namespaceAuth: NamespaceAuth,
  ) {}

  afterInit(namespace: Namespace): void {
    this.feed.attach(namespace);
    this.namespaceAuth.admit<AgentSocket>(namespace, (socket) => this.admit(socket));
  }

  handleConnection(socket: AgentSocket): void {
    this.namespaceAuth.checkRequests(socket, REQUESTS, () => this.check(socket));
    void this.connections.join(socket);
  }

  handleDisconnect(socket: AgentSocket): void {
    this.connections.leave(socket);
    this.typing.leave(socket.id);
  }

  @SubscribeMessage('chat:follow')
  async follow(@ConnectedSocket() socket: AgentSocket, @MessageBody() body: FollowDto) {
    return { ok: true, ...(await inOrder(socket.data, 'views', () => this.sockets.follow(socket, body))) };
  }

  @SubscribeMessage('chat:unfollow')
  async unfollow(@ConnectedSocket() socket: AgentSocket, @MessageBody() { chatId }: UnfollowDto) {
    await inOrder(socket.data, 'views', async () => this.follows.unfollow(socket, chatId));
    return { ok: true };
  }

  @SubscribeMessage('view:watch')
  async watch(@ConnectedSocket() socket: AgentSocket, @MessageBody() body: WatchDto) {
    await inOrder(socket.data, 'views', () => this.sockets.watch(socket, body));
    return { ok: true };
  }

  @SubscribeMessage('message:send')
  async send(@ConnectedSocket() { data }: AgentSocket, @MessageBody() { chatId, ...body }: SendAgentMessageDto) {
    const message = await inOrder(data, 'sends', () =>
      this.chatMessages.send(data.agent, contextOf(data), chatId, body),
    );
    return { ok: true, message };
  }

  @SubscribeMessage('sync')
  async sync(@ConnectedSocket() { data }: AgentSocket, @MessageBody() body: AgentSyncDto) {
    const { chatId, afterSeq, limit = MAX_MESSAGES } = body;
    return { ok: true, ...(await this.chatMessages.list(data.agent, chatId, { afterSeq, limit })) };
  }

  @SubscribeMessage('typing')
  async type(@ConnectedSocket() socket: AgentSocket, @MessageBody() { chatId, ...report }: AgentTypingDto) {
    const { data } = socket;
    await inOrder(data, 'typing', () => this.typing.report(data.agent, chatId, report, socket.id));
    // The socket may have disconnected while the chat was read, and its typing would never end.
    if (!socket.connected) this.typing.leave(socket.id);
    return { ok: true };
  }

  @SubscribeMessage('read')
  async read(@ConnectedSocket() { data }: AgentSocket, @MessageBody() { chatId, seq }: AgentReadDto) {
    await this.inbox.markRead(data.agent, chatId, seq);
    return { ok: true };
  }

  @SubscribeMessage('input')
  async noteInput(@ConnectedSocket() { data }: AgentSocket, @MessageBody() _body: InputDto) {
    await this.presence.onInput(data.agent);
    return { ok: true };
  }

  @SubscribeMessage('visible')
  async setVisible(@ConnectedSocket() { id, data }: AgentSocket, @MessageBody() { isVisible }: VisibleDto) {
    await inOrder(data, 'visible', () => this.presence.setVisible(id, isVisible));
    return { ok: true };
  }

  private async admit(socket: AgentSocket): Promise<void> {
    const agent = await this.auth.authenticate(socket.request, socket.handshake.auth);
    const data = {
      agent,
      followed: new Set<string>(),
      owned: new Set<string>(),
      kept: new Set<string>(),
      keptAt: 0,
      watched: null,
    };
    Object.assign(socket.data, data);
    await this.connections.admit(socket);
  }

  // Reads the session with every request, as REST does, so that its end or a new role takes effect immediately.
  private async check(socket: AgentSocket): Promise<void> {
    socket.data.agent = await this.auth.authenticate(socket.request, socket.handshake.auth);
  }
}

function contextOf({ agent }: AgentSocket['data']): RequestContext {
  return socketContext(agent.organizationId, { type: 'AGENT', id: agent.agentId, name: agent.name });
}
