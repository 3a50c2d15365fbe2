import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file of the widget, in the encodings browsers ask for. */
export interface WidgetFile {
  etag: string;
  bodies: { encoding: 'br' | 'gzip' | 'identity'; body: Buffer }[];
}

// Beside the built service, or below `dist` when the sources themselves run.
const FOLDERS = ['../../widget/', '../../dist/widget/'].map((path) => new URL(path, import.meta.url));

/** The built widget, held in memory: it is small. */
@Injectable()
export class WidgetFiles {
  private readonly files = new Map<string, WidgetFile>();

  constructor() {
    const folder = FOLDERS.find((url) => existsSync(new URL('widget.js', url)));
    if (!folder) return;
    for (const name of readdirSync(folder)) this.files.set(name, toFile(readFileSync(new URL(name, folder))));
  }

  find(name: string): WidgetFile | null {
    return this.files.get(name) ?? null;
  }
}

function toFile(body: Buffer): WidgetFile {
  return {
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    bodies: [
      { encoding: 'br', body: brotliCompressSync(body) },
      { encoding: 'gzip', body: gzipSync(body, { level: 9 }) },
      { encoding: 'identity', body },
    ],
  };
}
