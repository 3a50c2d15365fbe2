import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { SignInLinksService } from '../../auth/sign-in/sign-in-links.service.js';
import { findAccount } from '../../auth/agents/agent-sessions.queries.js';
import { Config } from '../../platform/config/config.js';
import { deriveKeys, type Keys, sha256 } from '../../platform/lib/secrets.js';
import type { Paper } from '../letters/stationery.js';
import type { LeasedMail } from '../model/mail.js';
import { linkTokens } from '../model/mail-token.js';
import type { Words } from '../letters/words.js';
import type { Kind, Prepared } from './kind.js';

type Text = 'Subject' | 'Text' | 'Button' | 'End';

/** Mails that have a link to sign in. */
abstract class SignInMail implements Kind {
  private readonly keys: Keys;

  constructor(
    config: Config,
    private readonly manager: EntityManager,
    private readonly links: SignInLinksService,
    private readonly kind: 'invitation' | 'reset',
  ) {
    this.keys = deriveKeys(config, 'links in mails');
  }

  /** The token of the link in a mail. */
  tokenOf(mailId: string): string {
    return linkTokens(this.keys, 'prl_lnk_', mailId)[0];
  }

  // The link may have been used, revoked, or replaced since, and the agent may have another address.
  async prepare(mail: LeasedMail, paper: Paper): Promise<Prepared> {
    const agent = await findAccount(this.manager, mail.organizationId, mail.agentId ?? '');
    if (!agent?.maySignIn || agent.email !== mail.to) return { lapsed: "the agent can't sign in with this address" };
    for (const token of linkTokens(this.keys, 'prl_lnk_', mail.id)) {
      if (await this.links.find(sha256(token))) return { letter: this.letter(paper, this.links.urlOf(token, '')) };
    }
    return { lapsed: 'the link was used, was revoked, or has expired' };
  }

  private letter(paper: Paper, url: string) {
    const word = (text: Text) => paper.fill(paper.words[`${this.kind}${text}` satisfies keyof Words]);
    return paper.letter({
      subject: word('Subject'),
      blocks: [{ type: 'text', text: word('Text') }],
      button: { label: word('Button'), url },
      footer: [word('End')],
    });
  }
}

/** Invites an agent. */
@Injectable()
export class InvitationMail extends SignInMail {
  constructor(config: Config, manager: EntityManager, links: SignInLinksService) {
    super(config, manager, links, 'invitation');
  }
}

/** Lets an agent choose a new password. */
@Injectable()
export class PasswordResetMail extends SignInMail {
  constructor(config: Config, manager: EntityManager, links: SignInLinksService) {
    super(config, manager, links, 'reset');
  }
}
