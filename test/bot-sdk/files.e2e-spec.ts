import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type FileInput, type MessageTurn, ParleyError, toModelMessages } from '../../packages/bot/src/index.js';
import { testBot } from '../../packages/bot/src/test.js';
import { until } from '../support/eventually.js';
import { allowVisitors, PNG, TEXT, upload } from '../files/support/files.js';
import { Setting } from './support/setting.js';

const MB = 1_048_576;
/** Text of more than one request may have. */
const LARGE = Buffer.alloc(9 * MB, 'large ');

async function* streamOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

describe('files in the SDK', () => {
  const at = new Setting();
  const folder = mkdtempSync(join(tmpdir(), 'parley-sdk-files-'));
  const invoice = join(folder, 'invoice.txt');
  writeFileSync(invoice, TEXT);
  beforeEach(() => allowVisitors(at.tenant));
  afterAll(() => rm(folder, { recursive: true }));

  const get = async (url: string) => {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${at.tenant.token}` } });
    return Buffer.from(await response.arrayBuffer());
  };
  const ofBots = async () => (await at.messages()).filter(({ sender }) => sender.type === 'BOT');
  const say = async (content: string, ...files: [string, Buffer][]) => {
    const visitor = at.parley.visitor(at.tenant.visitorToken);
    const ids: string[] = [];
    for (const [name, bytes] of files) ids.push((await upload(visitor, at.tenant.chatId, name, bytes)).id);
    await visitor.post(`/chats/${at.tenant.chatId}/messages`, { content, files: ids }).expect(201);
  };

  it('reply sends paths, bytes, Blobs, and streams, with a text and without', async () => {
    await at.start(async ({ reply }) => {
      await reply({ text: 'Here they are', files: [invoice, new Uint8Array(PNG), createReadStream(invoice)] });
      const named = [
        { name: 'a.txt', data: TEXT },
        { name: 'b.txt', data: streamOf(TEXT), size: TEXT.length },
        new File([TEXT], 'c.txt'),
        new Blob([TEXT]).stream(),
      ];
      await reply({ files: named });
      await reply('One more', { files: [new Blob([TEXT])], metadata: { order: 7 } });
    });
    await say('send them');
    await until('all are there', async () => (await ofBots()).length === 3);
    const messages = await ofBots();
    const seen = messages.map(({ content, files }) => [content, files.map(({ name }: { name: string }) => name)]);
    expect(seen).toEqual([
      ['Here they are', ['invoice.txt', 'file', 'invoice.txt']],
      ['', ['a.txt', 'b.txt', 'c.txt', 'file']],
      ['One more', ['file']],
    ]);
    expect(messages[2]).toMatchObject({ metadata: { order: 7 } });
    expect(messages[0].files[1]).toMatchObject({ type: 'image/png', width: 3, height: 2 });
    for (const { url, type } of messages.flatMap(({ files }) => files))
      expect(await get(url)).toEqual(type === 'image/png' ? PNG : TEXT);
  });

  it('sends large files in three calls: from the disk, from memory, and as they arrive', async () => {
    const path = join(folder, 'large.txt');
    writeFileSync(path, LARGE);
    const chat = at.make().chat(at.tenant.chatId);
    // The second attempt at every step.
    at.proxy.fail('POST /api/bot/uploads', ['refuse']);
    const streamed = { name: 'stream.txt', data: streamOf(LARGE), size: LARGE.length };
    await chat.send({ files: [path, { name: 'bytes.txt', data: LARGE }, streamed] });
    const [{ files }] = await ofBots();
    expect(files.map(({ name, size }: { name: string; size: number }) => [name, size])).toEqual([
      ['large.txt', LARGE.length],
      ['bytes.txt', LARGE.length],
      ['stream.txt', LARGE.length],
    ]);
    for (const { url } of files) expect((await get(url)).equals(LARGE)).toBe(true);
  });

  it.each(['POST /api/bot/uploads', 'POST /api/bot/messages'])(
    'repeats %s until it succeeds, and the visitor gets one message',
    async (route) => {
      await at.start(({ reply }) => reply({ text: 'Once', files: [invoice, { name: 's.txt', data: streamOf(TEXT) }] }));
      at.proxy.fail(route, ['lose', 'refuse', '503', '429']);
      await say('hello');
      await at.isDone();
      const messages = await ofBots();
      expect(messages).toHaveLength(1);
      expect(messages[0].files.map(({ name }: { name: string }) => name)).toEqual(['invoice.txt', 's.txt']);
    },
  );

  it('a retried turn uploads again, and the first message stands', async () => {
    let runs = 0;
    await at.start(
      async ({ reply }) => {
        await reply({ files: [invoice] });
        if (++runs === 1) throw new Error('broken');
      },
      { onError: 'retry' },
    );
    await say('hello');
    await at.isDone();
    expect([runs, (await ofBots()).length]).toEqual([2, 1]);
    const chat = at.make().chat(at.tenant.chatId);
    const once = () => chat.send({ files: [invoice] }, { idempotencyKey: 'invoice-7' });
    expect((await once()).id).toMatch(/^msg_/);
    expect((await once()).id).toBe('');
    expect(await ofBots()).toHaveLength(2);
  });

  it("a visitor's files arrive with their bytes: in turns, in the history, and outside of a handler", async () => {
    const read: unknown[] = [];
    await at.start(async ({ message, history, ignore }) => {
      const [picture, text] = message.files!;
      read.push([picture!.name, picture!.type, picture!.size, picture!.width], await picture!.bytes());
      const parts: Uint8Array[] = [];
      for await (const part of text!.stream() as unknown as AsyncIterable<Uint8Array>) parts.push(part);
      read.push(Buffer.concat(parts).toString());
      const [{ files }] = (await history(1)) as [MessageTurn['message']];
      read.push(await files![1]!.bytes(), toModelMessages(await history(1))[0]!.content);
      read.push(inspect(message).includes(at.tenant.token), JSON.parse(JSON.stringify(picture)).name);
      ignore();
    });
    await say('look', ['screen.png', PNG], ['log.txt', TEXT]);
    await at.isDone();
    expect(at.lines()).toBe('');
    expect(read).toEqual([
      ['screen.png', 'image/png', PNG.length, 3],
      new Uint8Array(PNG),
      TEXT.toString(),
      new Uint8Array(TEXT),
      `look\n[File: screen.png, image/png, ${PNG.length} bytes]\n[File: log.txt, text/plain, ${TEXT.length} bytes]`,
      false,
      'screen.png',
    ]);
    const bot = at.make();
    const own = await bot.chat(at.tenant.chatId).get();
    expect(await own.messages.at(-1)!.files![1]!.bytes()).toEqual(new Uint8Array(TEXT));
    for await (const { messages } of bot.chats())
      expect(await messages.at(-1)!.files![0]!.bytes()).toEqual(new Uint8Array(PNG));
  });

  it('bytes() repeats a broken download, and refuses a file above maxSize or one that was removed', async () => {
    await say('look', ['log.txt', TEXT]);
    const chat = at.make().chat(at.tenant.chatId);
    const file = (await chat.history(1))[0]!.files![0]!;
    at.proxy.fail(`GET /api/bot/files/${file.id}`, ['lose', '503', 'refuse']);
    expect(await file.bytes()).toEqual(new Uint8Array(TEXT));
    await expect(file.bytes({ maxSize: 5 })).rejects.toThrow(
      'log.txt has 13 bytes, more than maxSize (5): use stream()',
    );
    await expect(file.bytes({ maxsize: 5 } as never)).rejects.toThrow('there is no option maxsize');
    await at.tenant.admin.delete(`/visitors/${at.tenant.visitorId}`);
    await expect(file.bytes()).rejects.toMatchObject({ code: 'not_found' });
    const stream = file.stream() as unknown as AsyncIterable<Uint8Array>;
    const readAll = async () => {
      for await (const _ of stream);
    };
    await expect(readAll()).rejects.toBeInstanceOf(ParleyError);
  });

  it.each<[unknown, string]>([
    ['invoice.pdf', 'files must be an array of at most 10 files'],
    [Array.from({ length: 11 }, () => 'a.txt'), 'files must be an array of at most 10 files'],
    [[invoice, 7], 'files[1] must be a path, bytes, a Blob, a stream, or { name, data }'],
    [[{ data: TEXT }], 'files[0].name must be a text'],
    [[{ name: 'a', data: 'text' }], 'files[0].data must be bytes, a Blob, or a stream'],
    [[{ name: 'a', data: TEXT, type: 'x' }], 'files[0] has no option type: there are name, data, size'],
    [[{ name: 'a', data: TEXT, size: 0 }], 'files[0].size must be a positive integer'],
    [[join(folder, 'none.pdf')], "can't be read: ENOENT"],
    [[new Uint8Array()], 'files[0] is empty'],
    [[{ name: 'a', data: streamOf(TEXT), size: 5 }], 'files[0].size: the stream has more than 5 bytes'],
    [[{ name: 'a', data: streamOf(TEXT), size: 50 }], 'files[0].size: the stream has 13 bytes, not 50'],
    [[{ name: 'a', data: streamOf(LARGE) }], 'files[0].size: the stream has more than 8 MB: name its size in bytes'],
    [[{ name: 'a', data: streamOf(LARGE), size: LARGE.length + 1 }], 'files[0].size: the stream has'],
  ])('reply names the field that is wrong, and sends nothing: %#', async (files, words) => {
    const chat = at.make().chat(at.tenant.chatId);
    const sent = chat.send({ files: files as FileInput[] });
    await expect(sent).rejects.toThrow(TypeError);
    await expect(sent).rejects.toThrow(words);
    expect(await ofBots()).toEqual([]);
  });

  it('names the file that Parley refuses, and a text that is missing', async () => {
    const chat = at.make().chat(at.tenant.chatId);
    const data = Buffer.concat([Buffer.from('MZ'), randomBytes(2_000)]);
    const refused = chat.send({ files: [invoice, { name: 'setup.exe', data }] });
    await expect(refused).rejects.toMatchObject({ code: 'type_not_allowed', status: 409 });
    await expect(refused).rejects.toThrow('files[1] (setup.exe): POST ');
    await expect(chat.send({ files: [{ name: 'a/b', data: TEXT }] })).rejects.toThrow('?name');
    await expect(chat.send({ files: [] })).rejects.toThrow('content must have 1 to 5,000 characters; it has 0');
    await expect(chat.send({ files: [invoice], type: 'BUTTON' })).rejects.toThrow('content must have');
    await expect(chat.send({ content: 'x' } as never)).rejects.toThrow('there is no option content: there are type');
  });

  it('testBot gives the bot files, and shows the ones that it sends', async () => {
    const bot = at.make().on('message', async ({ message, reply }: MessageTurn) => {
      const [file] = message.files ?? [];
      await reply({
        text: file?.name,
        files: [
          { name: 'copy.txt', data: await file!.bytes() },
          { name: 'l', data: LARGE },
        ],
      });
    });
    const { replies, errors } = await testBot(bot).say('', {
      files: [{ name: 'a.txt', type: 'text/plain', data: TEXT }],
    });
    expect(errors).toEqual([]);
    const files = replies[0]!.files!;
    expect([replies[0]!.content, files[0]!.name, files[1]!.size]).toEqual(['a.txt', 'copy.txt', LARGE.length]);
    expect(await files[0]!.bytes()).toEqual(new Uint8Array(TEXT));
  });
});
