import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AgentChats } from './agent-state/agent-chats.js';
import { AgentComparison } from './agents/agent-comparison.js';
import { AgentConnections } from './agents/agent-connections.js';
import { AgentFeed } from './agent-state/agent-feed.js';
import { AgentFollows } from './agents/agent-follows.js';
import { AgentHeartbeat } from './agent-state/agent-heartbeat.js';
import { AgentOffers } from './agents/agent-offers.js';
import { AgentPeople } from './agent-state/agent-people.js';
import { AgentPresences } from './agent-state/agent-presences.js';
import { AgentReach } from './agent-state/agent-reach.js';
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
import { SeqHints } from './visitors/seq-hints.js';
import { AgentSeqHints } from './agents/agent-seq-hints.js';
import { SessionExpiry } from './visitors/session-expiry.js';
import { SessionSweep } from './visitors/session-sweep.js';
import { SocketDoor } from './connections/socket-door.js';
import { Timings } from './feeds/timings.js';
import { VisitorUpdates } from './visitors/visitor-updates.js';
import { TypingForVisitors } from './typing/typing-for-visitors.js';
import { TypingForAgents } from './typing/typing-for-agents.js';
import { VisitorStates } from './visitors/visitor-states.js';
import { AgentTyping } from './typing/agent-typing.js';
import { BotTyping } from './typing/bot-typing.js';
import { TypingSnapshots } from './typing/typing-snapshots.js';
import { ChatViewers } from './agents/chat-viewers.js';
import { ViewedChats } from './agents/viewed-chats.js';
import { VisitorTyping } from './typing/visitor-typing.js';

@Module({
  imports: [AgentsModule, ChatsModule, InboxModule, MessagesModule],
  providers: [
    AgentChats,
    AgentComparison,
    AgentConnections,
    AgentFeed,
    AgentFollows,
    AgentHeartbeat,
    AgentListener,
    AgentOffers,
    AgentPeople,
    AgentPresences,
    AgentReach,
    AgentRows,
    AgentSeqHints,
    AgentSessions,
    TypingForAgents,
    AgentTyping,
    AgentUpdates,
    AgentViews,
    BotTyping,
    ChatViewers,
    ConnectionLimits,
    VisitorFeed,
    LiveListener,
    LiveMetrics,
    LiveTexts,
    LiveUpdates,
    QueuePositions,
    SeqHints,
    SessionExpiry,
    SessionSweep,
    SocketDoor,
    Timings,
    TypingSnapshots,
    ViewedChats,
    TypingForVisitors,
    VisitorStates,
    VisitorTyping,
    VisitorUpdates,
  ],
  exports: [
    AgentChats,
    AgentConnections,
    AgentFeed,
    AgentFollows,
    AgentPeople,
    AgentReach,
    AgentTyping,
    AgentViews,
    BotTyping,
    ViewedChats,
    VisitorFeed,
    LiveMetrics,
    QueuePositions,
    SeqHints,
    SocketDoor,
    VisitorTyping,
  ],
})
export class LiveModule {}
