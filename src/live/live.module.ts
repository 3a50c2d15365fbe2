import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { BotsModule } from '../bots/bots.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AgentChats } from './agent-state/agent-chats.js';
import { AgentReconciler } from './agents/agent-reconciler.js';
import { AgentConnections } from './agents/agent-connections.js';
import { AgentFeed } from './agent-state/agent-feed.js';
import { AgentFollows } from './agents/agent-follows.js';
import { AgentHeartbeat } from './agent-state/agent-heartbeat.js';
import { AgentMentions } from './agents/agent-mentions.js';
import { AgentOffers } from './agents/agent-offers.js';
import { AgentPermissions } from './agent-state/agent-permissions.js';
import { AgentPresences } from './agent-state/agent-presences.js';
import { AgentNodes } from './agent-state/agent-nodes.js';
import { AgentRows } from './agents/agent-rows.js';
import { AgentSessions } from './agent-state/agent-sessions.js';
import { AgentListener } from './agents/agent.listener.js';
import { AgentUpdates } from './agents/agent-updates.js';
import { AgentViews } from './agent-state/agent-views.js';
import { ConnectionLimits } from './connections/connection-limits.js';
import { VisitorFeed } from './feeds/visitor-feed.js';
import { LiveMetrics } from './feeds/live-metrics.js';
import { LiveTexts } from './typing/live-texts.js';
import { LiveUpdates } from './feeds/live-updates.js';
import { LiveListener } from './live.listener.js';
import { QueuePositions } from './visitors/queue-positions.js';
import { VisitorMissedMessages } from './visitors/visitor-missed-messages.js';
import { AgentMissedMessages } from './agents/agent-missed-messages.js';
import { SessionExpiry } from './visitors/session-expiry.js';
import { SessionSweep } from './visitors/session-sweep.js';
import { SocketFailures } from './connections/socket-failures.js';
import { NamespaceAuth } from './connections/namespace-auth.js';
import { Timings } from './feeds/timings.js';
import { VisitorUpdates } from './visitors/visitor-updates.js';
import { TypingForVisitors } from './typing/typing-for-visitors.js';
import { TypingForAgents } from './typing/typing-for-agents.js';
import { ConnectedChats } from './visitors/connected-chats.js';
import { VisitorStates } from './visitors/visitor-states.js';
import { AgentTyping } from './typing/agent-typing.js';
import { BotAnswers } from './bot-answers.js';
import { BotTyping } from './typing/bot-typing.js';
import { StoppableAnswers } from './typing/stoppable-answers.js';
import { TypingSnapshots } from './typing/typing-snapshots.js';
import { ChatViewers } from './agents/chat-viewers.js';
import { ViewedChats } from './agents/viewed-chats.js';
import { VisitorTyping } from './typing/visitor-typing.js';

@Module({
  imports: [AgentsModule, BotsModule, ChatsModule, InboxModule, MessagesModule],
  providers: [
    AgentChats,
    AgentReconciler,
    AgentConnections,
    AgentFeed,
    AgentFollows,
    AgentHeartbeat,
    AgentListener,
    AgentMentions,
    AgentOffers,
    AgentPermissions,
    AgentPresences,
    AgentNodes,
    AgentRows,
    AgentMissedMessages,
    AgentSessions,
    TypingForAgents,
    AgentTyping,
    AgentUpdates,
    AgentViews,
    BotAnswers,
    BotTyping,
    ChatViewers,
    ConnectionLimits,
    VisitorFeed,
    LiveListener,
    LiveMetrics,
    LiveTexts,
    LiveUpdates,
    QueuePositions,
    VisitorMissedMessages,
    SessionExpiry,
    SessionSweep,
    NamespaceAuth,
    SocketFailures,
    StoppableAnswers,
    Timings,
    TypingSnapshots,
    ViewedChats,
    TypingForVisitors,
    VisitorStates,
    ConnectedChats,
    VisitorTyping,
    VisitorUpdates,
  ],
  exports: [
    AgentChats,
    AgentConnections,
    AgentFeed,
    AgentFollows,
    AgentPermissions,
    AgentNodes,
    AgentTyping,
    AgentViews,
    BotTyping,
    ConnectedChats,
    LiveUpdates,
    ViewedChats,
    VisitorFeed,
    LiveMetrics,
    QueuePositions,
    VisitorMissedMessages,
    NamespaceAuth,
    SocketFailures,
    StoppableAnswers,
    VisitorTyping,
  ],
})
export class LiveModule {}
