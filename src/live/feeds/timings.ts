import { Injectable } from '@nestjs/common';

/** Intervals of live delivery, in milliseconds. */
@Injectable()
export class Timings {
  /** Typing ends after this time without a new report. */
  typing = 10_000;
  /** Between two live texts of a sender: listeners get at most 10 a second. */
  texts = 100;
  /** The same for texts of more than 1,000 characters: at most 4 a second. */
  longTexts = 250;
  /** Between two checks for missed messages. */
  seqHints = 5_000;
  /** The same while Redis is unreachable. */
  seqHintsAlone = 1_000;
  /** Between two checks for sockets whose session has ended: how long a lost hint can leave one open. */
  sessions = 10_000;
  /** Between two comparisons of what agents were sent with the database. */
  agents = 5_000;
  /** Between two rows of a chat: agents get at most 4 a second. */
  rows = 250;
  /** Between two pings of an agent's connection. */
  agentPing = 6_000;
}
