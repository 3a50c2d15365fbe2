import { jest } from '@jest/globals';
import { InboundMails } from '../../../src/mail/receiving/inbound-mails.service.js';
import type { InboundResult } from '../../../src/mail/receiving/inbound-mail.js';
import { eventually } from '../../support/eventually.js';

/** Takes the mails of all services of this process instead of storing them. */
export class MailRecorder {
  /** The subjects, in the order of arrival. */
  readonly subjects: string[] = [];
  /** What becomes of a mail. It may throw. Each is stored by default. */
  answer: (subject: string) => InboundResult | null = () => ({ status: 'stored' });

  constructor() {
    jest.spyOn(InboundMails.prototype, 'receive').mockImplementation(async (source) => {
      const subject = /^Subject: (.*)\r$/m.exec(source.toString())![1]!;
      this.subjects.push(subject);
      return this.answer(subject);
    });
  }

  /** Waits until a mail has arrived. */
  arrived(subject: string): Promise<string[]> {
    return eventually(
      () => this.subjects,
      (subjects) => subjects.includes(subject),
    );
  }

  /** How often a mail arrived. */
  countOf(subject: string): number {
    return this.subjects.filter((other) => other === subject).length;
  }
}

/** A short mail. */
export function mail(subject: string, text = 'hello'): string {
  return `From: vera@example.com\r\nTo: support@parley.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.com>\r\n\r\n${text}\r\n`;
}
