import { crc32, deflateSync } from 'node:zlib';
import type { Stage } from '../../support/stage.js';
import type { Visit } from '../../support/visit.js';

/** A file that a visitor chooses. */
export interface Given {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A PNG of these sides, of one color that shades off. */
export function png(name: string, width = 400, height = 300, color = [200, 120, 40]): Given {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + 3 * width);
    for (let x = 0; x < width; x++)
      color.forEach((part, at) => (row[1 + 3 * x + at] = (part * (y + x + 1)) / (height + width)));
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const body = deflateSync(Buffer.concat(rows));
  const buffer = Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))]);
  return { name, mimeType: 'image/png', buffer };
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A text of this many bytes. */
export function text(name: string, size = 2_000): Given {
  return { name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'Hello, file.\n') };
}

/** Lets visitors of the organization send files. */
export async function allowUploads({ tenant }: Stage): Promise<void> {
  await tenant.admin.patch('', { visitorUploads: true }).expect(200);
}

/** A visitor who may send files, and has written. */
export async function begin(stage: Stage, options = {}): Promise<Visit> {
  await allowUploads(stage);
  const visit = await stage.visit(options);
  await visit.open();
  await visit.say('Hello');
  await visit.button('Attach files').waitFor();
  return visit;
}

/** Chooses files by the paper clip. */
export async function choose(visit: Visit, ...files: Given[]): Promise<void> {
  await visit.panel.locator('.composer [aria-expanded=false]').click();
  const [chooser] = await Promise.all([
    visit.page.waitForEvent('filechooser'),
    visit.panel.locator('.way').first().click(),
  ]);
  await chooser.setFiles(files);
}

/** Waits until everything in the draft is uploaded. */
export async function isUploaded(visit: Visit, count: number): Promise<void> {
  await visit.panel
    .locator('.chosen-file.done')
    .nth(count - 1)
    .waitFor();
}

/** Sends the draft, and waits until it's stored. */
export async function send(visit: Visit): Promise<void> {
  await visit.panel.locator('.send').click();
  await visit.panel.locator('.row.mine.last:not(.queued, .sending) .files').last().waitFor();
}

/** Drops or pastes files into the text field as a browser does. */
export async function hand(visit: Visit, event: 'drop' | 'paste', ...files: Given[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: buffer.toString('base64') }));
  await visit.page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, mimeType, bytes } of ${JSON.stringify(given)})
      data.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name, { type: mimeType }));
    const all = { bubbles: true, composed: true, cancelable: true, clipboardData: data, dataTransfer: data };
    const made = '${event}' === 'paste' ? new ClipboardEvent('paste', all) : new DragEvent('drop', all);
    document.querySelector('parley-widget').shadowRoot.querySelector('textarea').dispatchEvent(made);
  })()`);
}
