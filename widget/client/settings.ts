import type { PublicWidget } from '../../headless/visitor-api.js';
import { request } from './request.js';

export interface SettingsRequest {
  url: string;
  widgetKey: string;
  /** A BCP 47 tag: the texts are in this language, where the organization has them. */
  locale?: string;
}

/**
 * Reads what the organization chose for its chats: texts, colors, questions, and what visitors may do. Rejects with a VisitorError:
 * `not_found` for an unknown key, `forbidden` for a page whose origin isn't allowed.
 */
export function readSettings({ url, widgetKey, locale }: SettingsRequest): Promise<PublicWidget> {
  const query = new URLSearchParams({ key: widgetKey, ...(locale && { locale }) });
  return request(`${url.replace(/\/+$/, '')}/api/visitor/widget?${query}`, undefined);
}
