import { fill } from '../../../headless/text.js';
import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { language } from '../../locales/strings.js';
import type { Organization } from '../api.js';

/** Opens a page with the organization's widget, unless its allowed sites forbid it. */
export function TestChat({ organization: { widgetKey, allowedOrigins } }: { organization: Organization }) {
  const text = adminStrings.value.setup;
  const { origin } = location;
  if (allowedOrigins.length > 0 && !allowedOrigins.includes(origin))
    return <span class="hint small"> {fill(text.testForbidden, { origin })}</span>;
  return (
    <>
      {' '}
      <a
        href={`${basePath}/test-chat?${new URLSearchParams({ key: widgetKey, lang: language.value })}`}
        target="_blank"
        rel="noreferrer"
      >
        {text.testChat}
      </a>
    </>
  );
}
