import { Injectable } from '@nestjs/common';

/** How long what is live is waited for, in milliseconds. */
@Injectable()
export class Timings {
  /** Somebody who said that they are typing is, for so long at most. */
  typing = 10_000;
  /** Between one look for messages that nobody here was told of and the next. */
  seqHints = 5_000;
  /** The same while other nodes may have stored some and cannot be heard. */
  seqHintsAlone = 1_000;
  /** Between one look for sockets whose session has ended and the next: how long a lost hint may leave one open. */
  sessions = 10_000;
}
