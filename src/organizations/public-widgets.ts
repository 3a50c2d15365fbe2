import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { ALL_NODES, OtherNodes } from '../platform/cluster/other-nodes.js';
import { notFound } from '../platform/errors/problem.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import type { WidgetChanged } from './organizations.events.js';
import type { PublicCaptcha } from './captcha/captcha.js';
import { languageOf } from '../platform/locale/languages.js';
import { AI_DISCLOSURES, type AiDisclosure } from '../platform/locale/ai-disclosure.js';
import { withMailDefaults } from './mail-settings.js';
import { findPublicRow, findSettings, type PublicRow } from './widget-settings.queries.js';
import { type ProactiveMessage, type Translation, type WidgetSettings, withDefaults } from './widget-settings.js';

/** The most widgets that a node caches. The oldest entry is evicted first. */
export const MAX_CACHED = 1_000;
/** The longest time that a widget is cached, in milliseconds: the longest delay of a change whose hint was lost. */
const MAX_AGE_MS = 60_000;

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    'organization.widgetChanged': WidgetChanged;
  }
}

/** The settings that every page with the widget key may read. */
export interface PublicWidget {
  organizationId: string;
  allowedOrigins: string[];
  /** Whether new visitors solve a captcha. */
  hasCaptcha: boolean;
  shown: ShownSettings;
  /** The answers that were made, by the language of their texts. */
  answers: Map<string, WidgetAnswer>;
}

interface ShownSettings extends WidgetSettings {
  hours: object | null;
  captcha: PublicCaptcha | null;
  /** The names of pictures; null: none. */
  launcherPicture: string | null;
  botPicture: string | null;
  /** Null: visitors may send no files. */
  visitorUploads: { maxSize: number } | null;
  /** Whether visitors get mails about missed answers. */
  canMail: boolean;
  /** Whether visitors can have a transcript sent. */
  canSendTranscript: boolean;
}

/** The settings as a page gets them. */
export interface WidgetAnswer {
  /** The settings as JSON. */
  json: string;
  /** Changes when the JSON changes. */
  version: string;
}

interface CachedWidget {
  widget: PublicWidget;
  /** In milliseconds of `performance.now()`. */
  until: number;
}

/**
 * Caches the public settings of widgets in memory, because every page view requests them. A change evicts the entry immediately on
 * the node that makes it, on other nodes when the hint arrives, or after a minute if the hint is lost.
 */
@Injectable()
export class PublicWidgets {
  private readonly cached = new Map<string, CachedWidget>();
  private changes = 0;

  constructor(
    private readonly manager: EntityManager,
    private readonly nodes: OtherNodes,
    private readonly config: Config,
  ) {
    nodes.on('organization.widgetChanged', ({ organizationId }) => this.evict(organizationId));
  }

  /** The cached settings of a widget key; undefined if there are none. */
  find(widgetKey: string): PublicWidget | undefined {
    const kept = this.cached.get(widgetKey);
    return kept && kept.until > performance.now() ? kept.widget : undefined;
  }

  /** The settings of a widget key, from the cache or the database. @throws Problem not_found for an unknown widget key */
  async get(widgetKey: string): Promise<PublicWidget> {
    const found = this.find(widgetKey);
    if (found) return found;
    const { changes } = this;
    const widget = toPublicWidget(
      (await findPublicRow(this.manager, widgetKey)) ?? notFound('Organization with this widget key'),
      this.config,
    );
    // If the settings changed during the read, what was read is returned but not cached.
    if (changes === this.changes) this.cache(widgetKey, widget);
    return widget;
  }

  /**
   * What a visitor whose widget speaks a language reads before the first word of an AI.
   * @param locale a BCP 47 tag
   */
  async disclosureFor(organizationId: string, locale: string): Promise<AiDisclosure> {
    const widgets = Array.from(this.cached.values(), ({ widget }) => widget);
    const settings =
      widgets.find((widget) => widget.organizationId === organizationId)?.shown ??
      withDefaults((await findSettings(this.manager, organizationId))?.settings ?? null);
    return { text: disclosureIn(settings, locale), locale };
  }

  @OnDomainEvent('organization.widgetChanged')
  onChanged(fact: WidgetChanged): void {
    this.evict(fact.organizationId);
    this.nodes.publish(ALL_NODES, 'organization.widgetChanged', fact);
  }

  private cache(widgetKey: string, widget: PublicWidget): void {
    this.cached.delete(widgetKey);
    this.cached.set(widgetKey, { widget, until: performance.now() + MAX_AGE_MS });
    if (this.cached.size > MAX_CACHED) this.cached.delete(this.cached.keys().next().value!);
  }

  private evict(organizationId: string): void {
    this.changes += 1;
    for (const [key, { widget }] of this.cached) if (widget.organizationId === organizationId) this.cached.delete(key);
  }
}

function toPublicWidget(row: PublicRow, { FILE_MAX_SIZE: maxSize, sendsMail }: Config): PublicWidget {
  const { organizationId, name, allowedOrigins, settings, captcha, pictures, mailSettings, ...times } = row;
  const { missedAfterSeconds, transcript } = withMailDefaults(mailSettings);
  const mail = { canMail: sendsMail && missedAfterSeconds > 0, canSendTranscript: sendsMail && transcript !== 'NEVER' };
  const chosen = withDefaults(settings);
  const { opensAt, closesAt, reopensAt } = times;
  const hours = opensAt && { opensAt, closesAt, reopensAt };
  const solved: PublicCaptcha | null = captcha && { provider: captcha.provider, siteKey: captcha.siteKey };
  const { launcher: launcherPicture, bot: botPicture } = pictures;
  const visitorUploads = row.visitorUploads ? { maxSize } : null;
  const more = { hours, captcha: solved, launcherPicture, botPicture, visitorUploads, ...mail };
  const shown = { ...chosen, name: chosen.name ?? name, ...more };
  return { organizationId, allowedOrigins, hasCaptcha: solved !== null, shown, answers: new Map() };
}

/**
 * What a page gets. With a locale, the texts are in its language, or in the one that the organization chose for its widget.
 * @param locale a BCP 47 tag; undefined: all translations
 * @param isOwn whether the page chose the locale itself
 */
export function answerIn({ shown, answers }: PublicWidget, locale: string | undefined, isOwn: boolean): WidgetAnswer {
  const wanted = (isOwn ? locale : (shown.locale ?? locale)) ?? 'en';
  const language = locale === undefined ? undefined : findLanguage(shown, wanted);
  const aiDisclosure = { text: disclosureIn(shown, wanted, language) };
  const key = `${locale === undefined ? '*' : (language ?? '')} ${aiDisclosure.text}`;
  const known = answers.get(key);
  if (known) return known;
  const {
    formFields: fields,
    proactiveMessages,
    ...own
  }: Translation = language === undefined ? {} : shown.translations[language]!;
  const formFields = shown.formFields.map((field) => ({ ...field, ...fields?.[field.key] }));
  const messages = shown.proactiveMessages.map((message) => translated(message, proactiveMessages));
  const texts = locale === undefined ? {} : { ...own, formFields, proactiveMessages: messages, translations: {} };
  const json = JSON.stringify({ ...shown, ...texts, aiDisclosure });
  const made = { json, version: createHash('sha256').update(json).digest('base64url').slice(0, 22) };
  answers.set(key, made);
  return made;
}

function translated(message: ProactiveMessage, texts: Translation['proactiveMessages'] = {}): ProactiveMessage {
  return { ...message, text: (Object.hasOwn(texts, message.id) && texts[message.id]) || message.text };
}

/** What visitors read before the first word of an AI. */
function disclosureIn(
  { aiDisclosure, translations }: WidgetSettings,
  locale: string,
  language = findLanguage({ translations }, locale),
): string {
  const own = language === undefined ? undefined : translations[language]!.aiDisclosure?.text;
  return own ?? aiDisclosure?.text ?? AI_DISCLOSURES[languageOf(locale)];
}

/** The tag of the translation for a locale: `pt-BR` for `pt-BR`, or `pt` without it, and `zh-Hant` for `zh-TW` rather than `zh`. */
function findLanguage({ translations }: Pick<WidgetSettings, 'translations'>, locale: string): string | undefined {
  const wanted = locale.toLowerCase();
  const tags = Object.keys(translations);
  const find = (tag: string) => tags.find((known) => known.toLowerCase() === tag);
  const chinese = languageOf(locale) === 'zh-Hant' ? find('zh-hant') : undefined;
  return find(wanted) ?? chinese ?? find(wanted.split('-', 1)[0]!);
}
