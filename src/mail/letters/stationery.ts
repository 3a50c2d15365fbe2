import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type MailSettings, withMailDefaults } from '../../organizations/mail-settings.js';
import { findSender } from './sender.queries.js';
import { fill, headerText, type Letter } from './letter.js';
import { type Language, languageOf } from '../../platform/locale/languages.js';
import { knownTimeZone } from '../../platform/locale/time-zone.js';
import { pictureIdOf } from '../../platform/lib/web-url.js';
import { wordsOf } from './languages.js';
import type { Words } from './words.js';

/** What a kind of mail adds to its organization's paper. */
export type Draft = Pick<Letter, 'subject' | 'blocks'> &
  Partial<Pick<Letter, 'button' | 'footer' | 'isAutomatic' | 'unsubscribe' | 'references'>>;

/** The paper of an organization's letters in one language. */
export class Paper {
  readonly words: Words;

  constructor(
    readonly name: string,
    readonly language: Language,
    readonly settings: MailSettings,
    /** The organization's, an IANA name. */
    readonly timeZone: string,
    private readonly colors: { color: string; colorText: string },
  ) {
    this.words = wordsOf(language);
  }

  /** Fills in the organization's name, and what else is given. */
  fill(text: string, values: Record<string, string> = {}): string {
    return fill(text, { name: this.name, ...values });
  }

  letter({ subject, blocks, ...more }: Draft): Letter {
    const { button = null, footer = [], isAutomatic = true, unsubscribe = null, references = null } = more;
    const { language, settings, colors } = this;
    const fromName = headerText(settings.fromName ?? this.name);
    const texts = { language, fromName, subject: headerText(subject), blocks, button, footer };
    // Only our own pictures are shown: another host would see when visitors read their mails.
    const logoUrl = settings.logoUrl !== null && pictureIdOf(settings.logoUrl) !== null ? settings.logoUrl : null;
    return { ...texts, ...colors, logoUrl, isAutomatic, unsubscribe, references };
  }
}

/** Finds the paper of an organization. */
@Injectable()
export class Stationery {
  constructor(private readonly manager: EntityManager) {}

  /** @param language BCP 47; null: the widget's, or English. Returns null if the organization is deleted */
  async find(organizationId: string, language: string | null): Promise<Paper | null> {
    const row = await findSender(this.manager, organizationId);
    if (!row) return null;
    const { color, colorText, locale } = row.widgetSettings ?? {};
    const colors = { color: color ?? '', colorText: colorText ?? '#ffffff' };
    const settings = withMailDefaults(row.mailSettings);
    return new Paper(
      headerText(row.name),
      languageOf(language ?? locale ?? 'en'),
      settings,
      knownTimeZone(row.timeZone),
      colors,
    );
  }
}
