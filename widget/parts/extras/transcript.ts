import type { Message, VisitorClient } from '../../client/types.js';
import type { Strings } from '../../locales/en.js';
import type { Formats } from '../../panel/formats.js';

/** Saves the whole conversation as a text file, after reading what was not read yet. */
export async function saveTranscript(client: VisitorClient, strings: Strings, formats: Formats): Promise<void> {
  while (await client.loadEarlier().catch(() => false));
  const lines = client.messages.value.map((message) => lineOf(message, strings, formats));
  const address = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${client.chat.value?.id ?? 'chat'}.txt`;
  link.click();
  URL.revokeObjectURL(address);
}

function lineOf({ sender, content, createdAt, metadata }: Message, strings: Strings, formats: Formats): string {
  const name = sender.type === 'VISITOR' ? strings.you : sender.name || strings.team;
  const picture = typeof metadata?.url === 'string' ? ` ${metadata.url}` : '';
  const words = `${content || strings.deleted}${picture}`;
  return `[${formats.full(createdAt)}] ${sender.type === 'SYSTEM' ? '' : `${name}: `}${words}`;
}
