import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import type { TypingEvent } from '../live/feeds/typing-event.js';
import { SenderResponse } from './messages.dto.js';
import { OneOf, Text, WholeNumber } from '../platform/validation/validators.js';
import { MAX_SEQ } from '../chats/reading/chat-state.js';

/** The most characters of a live text, as of a message. */
const MAX_TEXT = 5_000;
/** The most characters of a status. */
const MAX_STATUS = 200;

class TypingState {
  @ApiProperty({ type: Boolean, description: 'Typing ends by itself after 10 s, and with the message' })
  @IsBoolean({ message: 'must be a boolean' })
  isTyping!: boolean;
}

/** Starts or stops the typing signal of the sender, with what it has written so far (CONTRACT: Live text). */
export class TypingDto extends TypingState {
  @Text(0, MAX_TEXT, {
    optional: true,
    description:
      'Everything that you have written so far. It is shown immediately, stored nowhere, and replaced by the message. ' +
      'Empty: clears the text. Omitted: the text stays',
  })
  text?: string;
}

/** The same of a bot. */
export class BotTypingDto extends TypingDto {
  @Text(1, MAX_STATUS, {
    optional: true,
    description:
      'What you are doing, shown below the text until your next text or message. Beside it, an omitted `text` is empty',
    example: 'Searching orders…',
  })
  status?: string;

  @IsOptional()
  @ApiPropertyOptional({
    type: Boolean,
    description:
      'With `text` or `status`: whether the visitor can stop you. If `isStopped` is true in a response, send what you have written as a message',
  })
  @IsBoolean({ message: 'must be a boolean' })
  canStop?: boolean;

  @OneOf(['BOT'], {
    optional: true,
    description:
      'Only if the bots have the chat; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`',
  })
  ifOwner?: 'BOT';
}

export class TypingResponse extends TypingState {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;
}

/** The same of a bot. */
export class BotTypingResponse extends TypingResponse {
  @ApiPropertyOptional({ description: 'True if the visitor has stopped what you are writing; absent otherwise' })
  isStopped?: boolean;
}

/** Marks all messages up to a `seq` as read. */
export class ReadDto {
  @WholeNumber(0, MAX_SEQ, { description: 'At most the highest `seq` of the chat' })
  seq!: number;
}

export class ReadResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: 'integer', description: 'How far your side has read; never less than before' })
  seq!: number;
}

/** `typing` of a socket. */
export class TypingEventResponse implements TypingEvent {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: () => SenderResponse })
  sender!: SenderResponse;

  @ApiProperty()
  isTyping!: boolean;

  @ApiPropertyOptional({ description: 'Everything that the sender has written so far' })
  text?: string;

  @ApiPropertyOptional({ description: 'With `text`: what the bot is doing. The next text without it ends it' })
  status?: string;

  @ApiPropertyOptional({ description: 'With `text`: whether the visitor can stop the bot' })
  canStop?: boolean;

  @ApiPropertyOptional({ type: 'integer', description: 'With `text`: the `seq` that the message will follow' })
  afterSeq?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'With `text`: the higher one is newer' })
  at?: number;
}

/** `seq` of a socket: a hint that you may have missed a message. */
export class SeqHintResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: 'integer' })
  latestSeq!: number;
}
