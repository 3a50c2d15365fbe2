import { RequestError } from '../../../headless/errors.js';
import { Tray } from '../../../headless/files/tray.js';
import { removeUpload, renewFile, uploadInto } from '../../client/uploads.js';
import type { CoreClient } from '../../client/types.js';
import { recall, remember } from '../../panel/lib/tab-storage.js';

/** Sends the files with a text; false if they aren't uploaded yet: then the form is submitted again when they are. */
export type Submit = (text: string) => boolean;

const trays = new WeakMap<CoreClient, Tray>();

/** The files of the draft. They stay when the composer is hidden, and what was uploaded over a reload too. */
export function trayOf(client: CoreClient): Tray {
  const known = trays.get(client);
  // The panel forgets what another person wrote.
  if (known && (recall('files') || !known.items.value[0])) return known;
  known?.clear();
  const made = new Tray(
    {
      chatId: () => client.chat.value?.id,
      open: async () => {
        const chat = client.chat.value ?? (await client.openChat());
        if (!chat.visitorUploads) throw new RequestError('forbidden', '');
        return chat.id;
      },
      upload: (chatId, file, options) => uploadInto(client, chatId, file, options),
      remove: (id) => removeUpload(client, id),
      renew: (id) => renewFile(client, id),
      keep: (kept) => remember('files', kept),
    },
    recall('files'),
  );
  trays.set(client, made);
  return made;
}
