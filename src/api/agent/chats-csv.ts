import type { ExportedChat } from '../../inbox/reports/chat-export.queries.js';
import { csvLine, csvOf } from '../../platform/lib/csv.js';

const COLUMNS: (keyof ExportedChat)[] = [
  'id',
  'createdAt',
  'closedAt',
  'status',
  'channel',
  'groupName',
  'visitorId',
  'visitorName',
  'visitorEmail',
  'agentName',
  'messageCount',
  'firstResponseSeconds',
  'queuedAt',
  'outcome',
  'isUnanswered',
  'waitSeconds',
  'firstReplySeconds',
  'score',
  'comment',
  'ratedAt',
];

/** Chats as CSV in pieces, one line for each chat. Times are UTC. */
export const chatsCsv = (pages: AsyncGenerator<ExportedChat[], void>, bom: boolean) =>
  csvOf(COLUMNS, pages, lineOf, bom);

function lineOf(chat: ExportedChat): string {
  return csvLine(COLUMNS.map((name) => (chat[name] instanceof Date ? chat[name].toISOString() : chat[name])));
}
