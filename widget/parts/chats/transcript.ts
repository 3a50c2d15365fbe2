import type { Message, CoreClient } from '../../client/types.js';
import { fill } from '../../../headless/text.js';
import { isMarkdown } from '../../../headless/markdown/marks.js';
import { namesOf } from '../../../headless/files/names.js';
import type { Strings } from '../../locales/en.js';
import type { Settings } from '../../types.js';
import { regional } from '../../panel/lib/formats.js';
import { systemWords } from '../../panel/conversation/senders.js';

/** Saves the whole conversation as a text file, after reading what was not read yet. */
export async function saveTranscript(client: CoreClient, strings: Strings, { title, locale }: Settings): Promise<void> {
  while (await client.loadEarlier().catch(() => false));
  const time = new Intl.DateTimeFormat(regional(locale), { dateStyle: 'medium', timeStyle: 'short' });
  const lines = client.messages.value.map((message) => lineOf(message, strings, time));
  const address = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${title || strings.title} ${client.chat.value!.createdAt.slice(0, 10)}.txt`;
  link.click();
  URL.revokeObjectURL(address);
}

function lineOf(message: Message, strings: Strings, time: Intl.DateTimeFormat): string {
  const { sender, content, createdAt, metadata } = message;
  const at = `[${time.format(new Date(createdAt))}] `;
  if (sender.type === 'SYSTEM') {
    const { template, names } = systemWords(message, strings);
    return at + fill(template, names);
  }
  const name = sender.type === 'VISITOR' ? strings.you : sender.name || strings.team;
  const picture = typeof metadata?.url === 'string' ? ` ${metadata.url}` : '';
  const said = isMarkdown(message) ? readable(content) : content;
  const files = namesOf(message);
  const words = `${said || (files ? '' : strings.deleted)}${picture}${files && ` [${files}]`}`.trim();
  return `${at}${name}: ${words}`;
}

/** A text without the marks around words. Addresses of links stay, and so does a mark that stands alone. */
function readable(text: string): string {
  return text
    .replace(/\[([^\][]*)\]\(([^()\s]*)\)/g, (_, label: string, address: string) =>
      label === address ? address : `${label} (${address})`,
    )
    .replace(/(\*{1,3}|~~|`{1,3})(?!\s)([^*~`\n]+)(?<!\s)\1/g, '$2');
}
