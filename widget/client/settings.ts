import type { PublicWidget } from '../../headless/visitor-api.js';
import { request } from './request.js';

export interface SettingsRequest {
  url: string;
  widgetKey: string;
  /** A BCP 47 tag: the texts are in this language, where the organization has them. */
  locale?: string;
}

export function readSettings({ url, widgetKey, locale }: SettingsRequest): Promise<PublicWidget> {
  const query = new URLSearchParams({ key: widgetKey, ...(locale && { locale, chosen: 'true' }) });
  return request(`${url.replace(/\/+$/, '')}/api/visitor/widget?${query}`, undefined);
}
