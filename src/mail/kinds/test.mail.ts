import { Injectable } from '@nestjs/common';
import type { Paper } from '../letters/stationery.js';
import type { LeasedMail } from '../model/mail.js';
import type { Kind, Prepared } from './kind.js';

/** A mail that an administrator sends to see whether mail works. */
@Injectable()
export class TestMail implements Kind {
  prepare(_mail: LeasedMail, paper: Paper): Promise<Prepared> {
    const { testSubject, testText } = paper.words;
    const blocks = [{ type: 'text', text: paper.fill(testText) }] as const;
    return Promise.resolve({ letter: paper.letter({ subject: paper.fill(testSubject), blocks: [...blocks] }) });
  }
}
