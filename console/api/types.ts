import type * as api from './agent-api.js';

// Names for the types of the OpenAPI document.

export type {
  AgentSearchRequest,
  AttributeKey,
  Colleague,
  Counts,
  GoneRow,
  LastFile,
  LinkAgent,
  MessageRating,
  Named,
  Note,
  Offer,
  OwnSession,
  Reply,
  Report,
  ReportDay,
  Search,
  SearchResult,
  Session,
  UsedTag,
} from './agent-api.js';

export type Me = api.OwnProfile;
export type Role = Me['role'];
export type Presence = Me['presence'];
export type PauseReason = NonNullable<Me['pauseReason']>;
/** A reason that agents give themselves. */
export type Break = Exclude<PauseReason, 'MISSED_OFFERS' | 'AWAY'>;
export type Row = api.ChatRow;
export type PushSettings = api.Push;
export type PushKind = PushSettings['kinds'][number];
export type ViewName = 'MINE' | 'SNOOZED' | 'WAITING' | 'BOT' | 'OPEN' | 'CLOSED';
/** Each side's read mark, a `seq`. All agents share one. */
export type ReadMarks = api.AllReadMarks;
export type Detail = api.ChatDetail;
/** What is known of a chat or a visitor, by key. */
export type Attributes = Detail['attributes'];
/** A part of a conversation as REST and the socket return it. */
export type Batch = api.AgentMessages;
export type Group = api.GroupOverview;
export type EndReason = api.SessionEnded['reason'];
/** A note that mentions the agent, as the socket sends it. */
export type Mention = api.MentionEvent;
export type AgentNumbers = api.AgentReportRow;
export type Rated = api.ReportedRating;
export type SavedView = api.View;
export type TeamGroup = api.TeamGroup;
export type TeamMember = api.TeamMember;
