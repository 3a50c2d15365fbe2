import type { Desk } from '../../support/desk.js';
import type { Stage } from '../../support/stage.js';
import type { Given } from './chosen.js';

/** Chooses files by the paper clip of the console, and waits until the draft shows them. */
export async function attach(desk: Desk, ...files: Given[]): Promise<void> {
  await pick(desk, ...files);
  await desk.page.locator('.chosen-file').first().waitFor();
}

/** Chooses files by the paper clip of the console. */
export async function pick({ page }: Desk, ...files: Given[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files' }).click(),
  ]);
  await chooser.setFiles(files);
}

/** Waits until everything in the shown draft is uploaded. */
export async function areUploaded({ page }: Desk, count: number): Promise<void> {
  await page
    .locator('.chosen-file.done')
    .nth(count - 1)
    .waitFor();
}

/** Drags, drops, or pastes files as a browser does. */
export async function transfer(
  { page }: Desk,
  event: 'dragover' | 'drop' | 'paste',
  target: string,
  ...files: Given[]
): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: buffer.toString('base64') }));
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, mimeType, bytes } of ${JSON.stringify(given)})
      data.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name, { type: mimeType }));
    const all = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
    const made = '${event}' === 'paste' ? new ClipboardEvent('paste', all) : new DragEvent('${event}', all);
    document.querySelector('${target}').dispatchEvent(made);
  })()`);
}

/** Holds the bytes of uploads back until they may go. */
export async function holdUploads({ page }: Desk): Promise<() => void> {
  let go: () => void = () => undefined;
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/uploads/upl_*', async (route) => {
    await mayGo;
    await route.continue().catch(() => undefined);
  });
  return go;
}

/** Each message of a chat that has files: its words, and their names. */
export async function storedFiles({ tenant }: Stage, chatId: string): Promise<[string, string[]][]> {
  const { messages } = (await tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body;
  return (messages as { content: string; files?: { name: string }[] }[])
    .filter(({ files }) => files)
    .map(({ content, files }) => [content, files!.map(({ name }) => name)]);
}
