import { parentPort } from 'node:worker_threads';
import { MailTextDecoder } from './charsets.mjs';
import { Structure, TooLarge } from './structure.mjs';
import { textOf } from './texts.mjs';

// The parser takes its decoders when it's loaded.
globalThis.TextDecoder = MailTextDecoder;
const { default: PostalMime } = await import('postal-mime');

/** Inline pictures below this size, in bytes, are logos of signatures and pixels. */
const SMALL_PICTURE = 8_192;

async function read(source) {
  const structure = new Structure(Buffer.from(source.buffer, source.byteOffset, source.byteLength)).check();
  const mail = await PostalMime.parse(source, { forceRfc822Attachments: true, maxNestingDepth: 25 });
  return {
    headers: mail.headers.map(({ key, value }) => ({ key, value })),
    text: textOf(mail, structure),
    parts: mail.attachments.filter((part) => !isDecoration(part, mail.html)).map(partOf),
  };
}

/** Whether a part is a picture of the text's design: small, and shown inside the HTML. */
function isDecoration({ mimeType, contentId, related, content }, html) {
  if (!mimeType.startsWith('image/') || !contentId || content.byteLength >= SMALL_PICTURE) return false;
  return related || (html ?? '').includes(`cid:${contentId.replace(/^<|>$/g, '')}`);
}

function partOf({ filename, mimeType, content }) {
  return { name: filename, type: mimeType, content: new Uint8Array(content) };
}

parentPort.on('message', async (source) => {
  try {
    const mail = await read(source);
    const buffers = new Set(mail.parts.map(({ content }) => content.buffer));
    parentPort.postMessage({ mail }, [...buffers]);
  } catch (error) {
    parentPort.postMessage({ reason: error instanceof TooLarge ? 'too_large' : 'broken' });
  }
});
