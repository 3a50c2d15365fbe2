import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { WholeNumber } from '../platform/http/validators.js';
import { MAX_SEQ } from '../chats/chat-state.js';

/** Starts or stops the typing signal of the sender. */
export class TypingDto {
  @ApiProperty({ type: Boolean, description: '`false` follows by itself after 10 s and with the message' })
  @IsBoolean({ message: 'must be a boolean' })
  isTyping!: boolean;
}

export class TypingResponse extends TypingDto {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;
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
