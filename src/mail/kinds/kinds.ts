import { Injectable } from '@nestjs/common';
import type { MailKind } from '../model/mail.js';
import type { Kind } from './kind.js';
import { AssignedMail, MentionedMail } from './offline.mail.js';
import { InvitationMail, PasswordResetMail } from './sign-in.mail.js';
import { MissedMail } from './missed.mail.js';
import { TranscriptMail } from './transcript.mail.js';
import { TestMail } from './test.mail.js';

/** Finds the kind of a mail. */
@Injectable()
export class Kinds {
  private readonly kinds: Record<MailKind, Kind>;

  constructor(
    missed: MissedMail,
    transcript: TranscriptMail,
    invitation: InvitationMail,
    password_reset: PasswordResetMail,
    assigned: AssignedMail,
    mentioned: MentionedMail,
    test: TestMail,
  ) {
    this.kinds = { missed, transcript, invitation, password_reset, assigned, mentioned, test };
  }

  /** Undefined for a kind that only a later release knows. */
  find(kind: string): Kind | undefined {
    return (this.kinds as Record<string, Kind | undefined>)[kind];
  }
}
