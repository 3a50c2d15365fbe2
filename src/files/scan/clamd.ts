import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The most bytes of an answer. */
const MAX_ANSWER = 4_096;
/** The most characters of an answer in an error. */
const MAX_QUOTED = 100;

/** The scanner takes no file of this size: it never gives a verdict. */
export class TooLargeToScan extends Error {}

/** Sends bytes by ClamAV's `INSTREAM`. Returns whether it found nothing. @throws TooLargeToScan, or Error for any other answer */
export async function scanWithClamd(url: URL, body: Readable, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ port: Number(url.port), host: url.hostname.replaceAll(/[[\]]/g, ''), signal });
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (text.includes('\0') || text.length > MAX_ANSWER) resolve(text);
    });
    socket.once('end', () => resolve(text));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the scanner closed the connection')));
  });
  try {
    // ClamAV answers before the end if the file is too long for it.
    const sent = pipeline(framed(body), socket, { end: false, signal });
    const text = (await Promise.race([answer, sent.then(() => answer)])).replaceAll('\0', '').trim();
    if (/\bFOUND$/.test(text)) return false;
    if (/\bOK$/.test(text)) return true;
    if (/\bsize limit exceeded\b.*ERROR$/.test(text)) throw new TooLargeToScan('it is longer than its StreamMaxLength');
    throw new Error(`the scanner answers "${text.slice(0, MAX_QUOTED)}" without a verdict`);
  } finally {
    socket.destroy();
    await answer.catch(() => undefined);
  }
}

async function* framed(body: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for await (const chunk of body as AsyncIterable<Buffer>) {
    yield lengthOf(chunk.length);
    yield chunk;
  }
  yield lengthOf(0);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
