import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { headerText, type Letter } from '../letters/letter.js';
import type { Paper } from '../letters/stationery.js';
import type { LeasedMail } from '../model/mail.js';
import { MailSetup } from '../model/mail-setup.js';
import { type OfflineKind, type OfflineState, findOfflineState } from './offline.queries.js';
import type { Kind, Prepared } from './kind.js';

/** A mail about a chat to an agent who has no page open. It has none of the chat's words (CONTRACT: E-mail). */
abstract class OfflineMail implements Kind {
  constructor(
    private readonly manager: EntityManager,
    private readonly setup: MailSetup,
    private readonly kind: OfflineKind,
  ) {}

  async prepare(mail: LeasedMail, paper: Paper): Promise<Prepared> {
    const state = await findOfflineState(this.manager, mail, mail.createdAt);
    const lapsed = state ? this.findLapse(mail, state) : 'the agent was deleted, or the chat erased';
    return lapsed === null ? { letter: this.letter(mail, state!, paper) } : { lapsed };
  }

  private findLapse(mail: LeasedMail, state: OfflineState): string | null {
    if (!state.isWanted) return 'the agent wants no such mails, or is disabled';
    if (state.email !== mail.to) return 'the agent has another address';
    if (state.isConnected || state.wasOnline) return 'the agent was online';
    if (this.kind === 'assigned') return state.isAssigned ? null : 'the agent no longer has the chat';
    return state.isMentioned ? null : 'the agent has seen the note';
  }

  private letter({ chatId }: LeasedMail, { visitorName }: OfflineState, paper: Paper): Letter {
    const { words } = paper;
    const visitor = headerText(visitorName ?? '') || words.someone;
    return paper.letter({
      subject: paper.fill(words[`${this.kind}Subject`], { visitor }),
      blocks: [{ type: 'text', text: paper.fill(words[`${this.kind}Text`], { visitor }) }],
      button: { label: words.openChat, url: this.setup.urlOf(`/console/mine/${chatId!}`) },
      footer: [words.awayEnd],
    });
  }
}

/** The agent got a chat. */
@Injectable()
export class AssignedMail extends OfflineMail {
  constructor(manager: EntityManager, setup: MailSetup) {
    super(manager, setup, 'assigned');
  }
}

/** A note mentions the agent. */
@Injectable()
export class MentionedMail extends OfflineMail {
  constructor(manager: EntityManager, setup: MailSetup) {
    super(manager, setup, 'mentioned');
  }
}
