import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AgentChats } from './agent-chats.js';
import { AgentComparison } from './agent-comparison.js';
import { AgentConnections } from './agent-connections.js';
import { AgentFeed } from './agent-feed.js';
import { AgentFollows } from './agent-follows.js';
import { AgentHeartbeat } from './agent-heartbeat.js';
import { AgentOffers } from './agent-offers.js';
import { AgentPeople } from './agent-people.js';
import { AgentPresences } from './agent-presences.js';
import { AgentReach } from './agent-reach.js';
import { AgentRows } from './agent-rows.js';
import { AgentSessions } from './agent-sessions.js';
import { AgentListener } from './agent.listener.js';
import { AgentUpdates } from './agent-updates.js';
import { AgentViews } from './agent-views.js';
import { ConnectionLimits } from './connection-limits.js';
import { VisitorFeed } from './visitor-feed.js';
import { LiveMetrics } from './live-metrics.js';
import { LiveTexts } from './live-texts.js';
import { LiveUpdates } from './live-updates.js';
import { LiveListener } from './live.listener.js';
import { QueuePositions } from './queue-positions.js';
import { AgentSeqHints, SeqHints } from './seq-hints.js';
import { SessionExpiry } from './session-expiry.js';
import { SessionSweep } from './session-sweep.js';
import { SocketDoor } from './socket-door.js';
import { Timings } from './timings.js';
import { VisitorUpdates } from './visitor-updates.js';
import { AgentTyping, Typing } from './typing.js';
import { VisitorStates } from './visitor-states.js';
import { VisitorTyping } from './visitor-typing.js';

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
    AgentTyping,
    AgentUpdates,
    AgentViews,
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
    Typing,
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
    AgentViews,
    VisitorFeed,
    LiveMetrics,
    QueuePositions,
    SeqHints,
    SocketDoor,
    VisitorTyping,
  ],
})
export class LiveModule {}
