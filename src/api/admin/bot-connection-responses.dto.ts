import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HIDDEN_QUERY } from '../../bot-connections/connections/connection-change.js';
import type { ConnectionRow } from '../../bot-connections/connections/connections.queries.js';
import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type ConnectionSettings,
  type FailureSettings,
  isOfKind,
  ON_NEW_MESSAGE,
  type OnNewMessage,
  type Share,
  SHARES,
  type ToolName,
  TOOLS,
} from '../../bot-connections/model/connection.js';
import type { Script } from '../../bot-connections/model/script.js';
import { FAILURE_CODES } from '../../bot-connections/model/turn.js';
import { ScriptResponse } from './bot-scripts.dto.js';
import { TextOrNull, Time } from './response-fields.js';

class ConnectionFailureResponse {
  @Time()
  at!: Date;

  @ApiProperty({ enum: [...FAILURE_CODES] })
  code!: string;
}

class ConnectionHealthResponse {
  @Time({ nullable: true })
  lastSuccessAt!: Date | null;

  @ApiProperty({ type: () => ConnectionFailureResponse, nullable: true })
  lastFailure!: ConnectionFailureResponse | null;

  @ApiProperty({
    type: 'integer',
    description: 'For how many turns in a row the endpoint was unreachable, timed out, or answered 5xx',
  })
  failuresInRow!: number;
}

class FailureResponse implements FailureSettings {
  @ApiPropertyOptional()
  sentence?: string;

  @ApiPropertyOptional()
  reason?: string;

  @ApiPropertyOptional()
  targetGroupId?: string;
}

/** A connection, without its secrets. Fields of other kinds are absent. */
export class ConnectionResponse {
  @ApiProperty({ enum: [...CONNECTION_KINDS] })
  kind!: ConnectionKind;

  @ApiPropertyOptional({ description: `A query is shown as \`${HIDDEN_QUERY}\`` })
  url?: string;

  @ApiProperty({ description: 'Whether it has a key' })
  hasKey!: boolean;

  @ApiProperty({ type: [String], description: 'The names of its headers' })
  headerNames!: string[];

  @ApiProperty()
  isEnabled!: boolean;

  @ApiProperty({ enum: [...ON_NEW_MESSAGE] })
  onNewMessage!: OnNewMessage;

  @ApiProperty({ type: 'integer' })
  collectFor!: number;

  @ApiPropertyOptional({ type: 'integer' })
  history?: number;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string', enum: [...SHARES] } })
  share?: Share[];

  @ApiPropertyOptional({ type: 'array', items: { type: 'string', enum: [...TOOLS] } })
  tools?: ToolName[];

  @ApiPropertyOptional({ type: 'integer' })
  tries?: number;

  @ApiProperty({ type: () => FailureResponse, nullable: true })
  failure!: FailureSettings | null;

  @TextOrNull()
  targetGroupId!: string | null;

  @ApiPropertyOptional()
  showSteps?: boolean;

  @ApiPropertyOptional({ type: 'integer' })
  maxRuns?: number;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  dailyTokens?: number | null;

  @ApiPropertyOptional({ enum: ['0', '1'] })
  protocol?: '0' | '1';

  @ApiPropertyOptional({ enum: ['full', 'none'] })
  resumeHistory?: 'full' | 'none';

  @ApiPropertyOptional({ type: String, nullable: true })
  instructions?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  model?: string | null;

  @ApiPropertyOptional({ type: Number, nullable: true })
  temperature?: number | null;

  @ApiPropertyOptional()
  includeUsage?: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  body?: Record<string, unknown>;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  inputs?: Record<string, unknown>;

  @ApiPropertyOptional({ type: () => ScriptResponse, nullable: true, description: 'Null: the built-in script' })
  script?: Script | null;

  @Time()
  createdAt!: Date;

  @ApiProperty({ type: () => ConnectionHealthResponse })
  health!: ConnectionHealthResponse;
}

export function toConnectionResponse(row: ConnectionRow): ConnectionResponse {
  const { kind, url, hasQuery, hasKey, headerNames, isEnabled, settings, createdAt } = row;
  const { lastSuccessAt, lastFailureAt, lastFailureCode, failuresInRow } = row;
  const lastFailure = lastFailureAt && { at: lastFailureAt, code: lastFailureCode! };
  return {
    kind,
    ...(isOfKind(kind, 'url') && { url: hasQuery ? `${url}${HIDDEN_QUERY}` : url }),
    hasKey,
    headerNames,
    isEnabled,
    ...settingsOf(kind, settings),
    createdAt,
    health: { lastSuccessAt, lastFailure, failuresInRow },
  };
}

/** A connection that was created or replaced. */
export class PutConnectionResponse extends ConnectionResponse {
  @ApiPropertyOptional({ description: 'What signs its requests. Shown once, if it is new' })
  secret?: string;
}

type Settings = Pick<ConnectionSettings, 'onNewMessage' | 'collectFor' | 'failure' | 'targetGroupId'>;

function settingsOf(kind: ConnectionKind, settings: ConnectionSettings): Settings {
  const entries = Object.entries(settings).filter(([name]) => isOfKind(kind, name));
  return Object.fromEntries(entries) as unknown as Settings;
}
