import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { CHAT_STATUSES, type ChatStatus } from '../chats/model/chat-status.js';
import { MAX_CURSOR, decodeState } from '../search/reading/search-cursor.js';
import type { SearchFilter } from '../search/reading/filters.js';
import type { MessageHit, NoteHit, SearchInput } from '../search/reading/search.service.js';
import { invalid } from '../platform/errors/problem.js';
import { SCALAR, Sized, sizeOfList, sizeOfText } from '../platform/validation/body-size.js';
import {
  Check,
  findTimeFault,
  MAX_TIME_LENGTH,
  OneOf,
  QueryInteger,
  Text,
  WholeNumber,
} from '../platform/validation/validators.js';
import { NamedResponse } from '../platform/http/responses/problem.dto.js';
import { SenderResponse } from './messages.dto.js';
import { AttributeFilters, toAskedAttributes } from './attribute-filters.dto.js';
import { TagFilters } from './chat-changes.dto.js';
import type { GivenParameter } from '../platform/validation/validation-rules.js';

/** The most results of a page. */
const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 20;
const SENDERS = ['VISITOR', 'BOT', 'AGENT'] as const;
/** Filters that say nothing of the chat. */
const OF_MATCHES = new Set(['senderType', 'from', 'to']);
const SCORES = ['1', '2', '3', '4', '5', '*'];

/** A time; optional. */
function Time(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('time', findTimeFault),
    Sized(sizeOfText(MAX_TIME_LENGTH)),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );
}

function findRatingFault(value: unknown): string | null {
  const scores = [value].flat();
  const areScores = scores.length <= SCORES.length && scores.every((score) => SCORES.includes(String(score)));
  return areScores && scores.length > 0 ? null : 'must be 1 to 5, or *, or several of them';
}

/** Scores; optional. */
function Rating(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Check('rating', findRatingFault),
    Sized(sizeOfList(SCORES.length, sizeOfText(1))),
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', enum: [...SCORES] },
      description: 'Chats with one of these ratings; `*`: rated at all',
    }),
  );
}

const Id = (description: string) => Text(1, 64, { optional: true, description });

/** The words and filters of a search. */
class SearchFields {
  @Text(1, 200, {
    optional: true,
    description: 'Words that all match. Needed without another filter than `senderType`, `from`, and `to`',
  })
  q?: string;

  @Text(1, MAX_CURSOR, { optional: true, description: '`nextCursor` of the page before, of the same search' })
  cursor?: string;

  @Id('Chats of this group')
  groupId?: string;

  @OneOf(CHAT_STATUSES, { optional: true, description: 'Chats with this status' })
  status?: ChatStatus;

  @Id('Chats of this visitor')
  visitorId?: string;

  @Id('Chats that this agent has, or had last if they have ended')
  agentId?: string;

  @Id('Chats with a message from this agent')
  participantId?: string;

  @Id('Chats with a message from this bot')
  botId?: string;

  @Rating()
  rating?: unknown;

  @TagFilters()
  tag?: string[];

  @OneOf(SENDERS, { optional: true, description: 'Chats whose matching message is from one of these. Needs `q`' })
  senderType?: (typeof SENDERS)[number];

  @Time('Matches from this time on; without `q`, chats whose last message is')
  from?: string;

  @Time('Matches before this time; without `q`, chats whose last message is')
  to?: string;
}

/** The query of a search. */
export class SearchQuery extends SearchFields {
  @AttributeFilters()
  attributes?: GivenParameter[];

  @QueryInteger(1, MAX_RESULTS, { default: DEFAULT_RESULTS, description: 'The most items in the response' })
  limit: number = DEFAULT_RESULTS;
}

/** The query of an agent's search. */
export class AgentSearchQuery extends SearchQuery {
  @OneOf(['true'], { optional: true, description: 'Only chats whose visitor wrote after the agents’ read mark' })
  unread?: 'true';
}

/** The body of a search. */
export class AgentSearchRequest extends SearchFields {
  @AttributeFilters({ isBody: true })
  attributes?: GivenParameter[];

  @WholeNumber(1, MAX_RESULTS, {
    optional: true,
    description: `The most items in the response. Default: ${DEFAULT_RESULTS}`,
  })
  limit?: number;

  @IsOptional()
  @Check('unread', (value) => (value === true || value === 'true' ? null : 'must be true'))
  @Sized(SCALAR)
  @ApiPropertyOptional({ enum: [true], description: 'Only chats whose visitor wrote after the agents’ read mark' })
  unread?: true;
}

type Given = SearchFields & { limit?: number; unread?: unknown; attributes?: GivenParameter[] };

/**
 * What a request searches for.
 * @param mark the beginning of a field's name in an error
 * @throws Problem validation_failed without words and a filter, or for a cursor of another search
 */
export function toSearchInput(given: Given, mark: '?' | '/'): SearchInput {
  const { q, cursor, limit = DEFAULT_RESULTS } = given;
  const filter = toFilter(given);
  const { senderType } = filter;
  const isOfChats = Object.keys(filter).some((name) => !OF_MATCHES.has(name));
  if (q === undefined && !isOfChats) throw invalid(`${mark}q`, 'is required without a filter of chats');
  if (q === undefined && senderType) throw invalid(`${mark}senderType`, 'needs q');
  const state = cursor === undefined ? undefined : decodeState(cursor, q ?? '', filter);
  if (cursor !== undefined && !state)
    throw invalid(`${mark}cursor`, 'must be nextCursor of an earlier page of this search');
  return { q, filter, limit, state, mark };
}

function toFilter({ unread, rating, tag, attributes, from, to, ...given }: Given): SearchFilter {
  const { groupId, status, visitorId, agentId, participantId, botId, senderType } = given;
  const scores = rating === undefined ? undefined : [rating].flat().map(String);
  const filter: SearchFilter = {
    groupId,
    status,
    visitorId,
    agentId,
    participantId,
    botId,
    senderType,
    // In a body, one tag may be a text.
    tag: tag === undefined ? undefined : [tag].flat(),
    attributes: toAskedAttributes(attributes),
    isUnread: unread === undefined ? undefined : true,
    rating: scores && (scores.includes('*') ? [] : [...new Set(scores.map(Number))].toSorted((a, b) => a - b)),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as SearchFilter;
}

class SnippetResponse {
  @ApiProperty({ description: 'A part of the content, or of a file’s name if only that matches' })
  snippet!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    description: 'What matches in `snippet`: start and end in UTF-16 units, the end exclusive',
  })
  ranges!: [number, number][];
}

export class FoundMessageResponse extends SnippetResponse implements MessageHit {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  seq!: number;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: () => SenderResponse })
  sender!: SenderResponse;
}

export class FoundNoteResponse extends SnippetResponse implements NoteHit {
  @ApiProperty({ example: 'not_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: () => NamedResponse })
  author!: NamedResponse;
}

/** What a result has besides its chat. */
export class SearchResultFields {
  @ApiPropertyOptional({ type: () => FoundMessageResponse, description: 'The newest match, if it’s a message' })
  message?: FoundMessageResponse;

  @ApiPropertyOptional({ enum: [true], description: 'Only a word of the visitor’s name matches, with one edit' })
  isApproximate?: true;
}

/** What a page has besides its results. */
export class SearchPageFields {
  @ApiProperty({ type: String, nullable: true, description: 'Ask for the next page with it; null at the end' })
  nextCursor!: string | null;

  @ApiPropertyOptional({ enum: [true], description: 'The search took 2 s: go on with `nextCursor`' })
  partial?: true;
}
