import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import type { ConnectionFields, NewConnection } from '../../bot-connections/connections/connection-change.js';
import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type FailureSettings,
  ON_NEW_MESSAGE,
  type OnNewMessage,
  type Share,
  SHARES,
  type ToolName,
  TOOLS,
} from '../../bot-connections/model/connection.js';
import type { Script } from '../../bot-connections/model/script.js';
import { MAX_ID_LENGTH } from '../../platform/lib/ids.js';
import { SCALAR, Sized } from '../../platform/validation/body-size.js';
import { Nullable } from '../../platform/validation/validation-rules.js';
import { OneOf, Text, WholeNumber } from '../../platform/validation/validators.js';
import {
  Failure,
  Fraction,
  Headers,
  Inputs,
  Key,
  ListOf,
  NotSupported,
  RequestBody,
  ScriptField,
} from './bot-connections.fields.js';

const MAX_URL_LENGTH = 2_000;
const MAX_INSTRUCTIONS = 20_000;
const MAX_MODEL = 200;
const SETTING = { optional: true, nullable: true } as const;

function Flag(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Nullable(),
    Sized(SCALAR),
    IsBoolean({ message: 'must be a boolean' }),
    ApiPropertyOptional({ type: Boolean, nullable: true, description }),
  );
}

class ConnectionSettingsDto {
  @Key()
  key?: string;

  @Headers()
  headers?: Record<string, string>;

  @OneOf(ON_NEW_MESSAGE, { ...SETTING, description: 'What a message during a turn does. Default: `collect`' })
  onNewMessage?: OnNewMessage | null;

  @WholeNumber(0, 10_000, { ...SETTING, description: 'Milliseconds after the newest message. Default: 800' })
  collectFor?: number | null;

  @WholeNumber(1, 500, {
    ...SETTING,
    description: '`agui`, `openai`, `n8n`: the most messages that a request has. Default: 100',
  })
  history?: number | null;

  @ListOf(SHARES, 'What the endpoint gets besides the conversation. Default: `["groups", "page"]`')
  share?: Share[] | null;

  @ListOf(TOOLS, "`agui`, `openai`: which of Parley's tools are offered; `[]` for models without tools. Default: all")
  tools?: ToolName[] | null;

  @WholeNumber(1, 3, { ...SETTING, description: 'The most runs of a step. Default: 3; `dify`, `n8n`: 1' })
  tries?: number | null;

  @Failure()
  failure?: FailureSettings | null;

  @Text(1, MAX_ID_LENGTH, {
    ...SETTING,
    description: 'Where other hand-overs without a group go. Default: the default group',
  })
  targetGroupId?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ type: Boolean, description: 'False pauses it. Default: true' })
  isEnabled?: boolean;

  @Flag('Whether visitors see the names of tools while they run. Default: true')
  showSteps?: boolean | null;

  @WholeNumber(1, 500, { ...SETTING, description: 'The most concurrent runs. Default: 100' })
  maxRuns?: number | null;

  @Text(1, MAX_INSTRUCTIONS, { ...SETTING, description: '`openai`: the instructions of the model' })
  instructions?: string | null;

  @Fraction(0, 2, '`openai`: the temperature of the model. Default: what the endpoint has')
  temperature?: number | null;

  @Flag('`openai`: whether the stream is asked for its usage. Default: true')
  includeUsage?: boolean | null;

  @RequestBody()
  body?: Record<string, unknown> | null;

  @WholeNumber(1_000, 10 ** 12, {
    ...SETTING,
    description: 'Tokens a day, in UTC; then agents get the chats. Default: no limit',
  })
  dailyTokens?: number | null;

  @OneOf(['0', '1'] as const, { ...SETTING, description: '`agui`: `0` for endpoints from before 1.0. Default: `1`' })
  protocol?: '0' | '1' | null;

  @OneOf(['full', 'none'] as const, {
    ...SETTING,
    description: '`agui`: the history that a run with answers to questions has. Default: `full`',
  })
  resumeHistory?: 'full' | 'none' | null;

  @Inputs()
  inputs?: Record<string, unknown> | null;

  @ScriptField()
  script?: Script | null;

  @Text(1, MAX_MODEL, { ...SETTING, description: '`openai`: the name of the model. Required' })
  model?: string | null;
}

const KIND = { description: 'The wire that the endpoint speaks; `script`: no endpoint, but a script answers' };
const URL =
  '`openai`, `dify`: the base of the API, such as `https://api.example/v1`. `n8n`: the address of the Chat Trigger. `agui`: the address of the agent. A query counts as a secret';

/** The body of `PUT …/connection` (CONTRACT: Bots by address). */
export class PutConnectionDto extends ConnectionSettingsDto implements NewConnection {
  @OneOf(CONNECTION_KINDS, KIND)
  kind!: ConnectionKind;

  @Text(1, MAX_URL_LENGTH, {
    optional: true,
    description: `Required for all kinds but \`script\`. ${URL}`,
    example: 'https://api.example/v1',
  })
  url?: string;
}

/** The body of `PATCH …/connection`. */
export class UpdateConnectionDto extends ConnectionSettingsDto implements ConnectionFields {
  @NotSupported()
  kind?: unknown;

  @Text(1, MAX_URL_LENGTH, { optional: true, description: URL })
  url?: string;
}
