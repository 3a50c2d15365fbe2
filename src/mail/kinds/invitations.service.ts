import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/context/request-context.js';
import { type NewLink, SignInLinksService } from '../../auth/sign-in/sign-in-links.service.js';
import { newId } from '../../platform/lib/ids.js';
import { MailSetup } from '../model/mail-setup.js';
import { MailsService } from '../model/mails.service.js';
import { InvitationMail } from './sign-in.mail.js';

/** Mails sign-in links to agents (CONTRACT: E-mail). */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly links: SignInLinksService,
    private readonly mails: MailsService,
    private readonly setup: MailSetup,
    private readonly mail: InvitationMail,
  ) {}

  /** Creates a link with `SignInLinksService.create`, and mails it to the agent. @throws Problem mail_off, and what `create` throws */
  create(context: RequestContext, agentId: string): Promise<NewLink> {
    this.setup.requireOn();
    const { organizationId } = context;
    const id = newId('eml');
    return this.links.create(context, agentId, {
      token: this.mail.tokenOf(id),
      onCreated: (tx, { email }) =>
        this.mails.queue(tx, { organizationId, id, kind: 'invitation', to: email, agentId }),
    });
  }
}
