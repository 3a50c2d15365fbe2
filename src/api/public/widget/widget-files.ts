import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file of the widget, in the encodings that browsers accept. */
export interface WidgetFile {
  name: string;
  etag: string;
  bodies: { encoding: 'br' | 'gzip' | 'identity'; body: Buffer }[];
}

// The widget's folder, seen from the built service or from the sources.
const FOLDERS = ['../../../../widget/', '../../../../dist/widget/'].map((path) => new URL(path, import.meta.url));

/** The form of the panel's name, which contains a hash of its content. */
export const PANEL = /^chat\.[\w-]+\.js$/;

/** The built widget, which is small and kept in memory. */
@Injectable()
export class WidgetFiles {
  readonly launcher?: WidgetFile;
  readonly panel?: WidgetFile;

  constructor() {
    const folder = FOLDERS.find((url) => existsSync(new URL('widget.js', url)));
    if (!folder) return;
    const read = (name: string) => toFile(name, readFileSync(new URL(name, folder)));
    this.launcher = read('widget.js');
    const panel = readdirSync(folder).find((name) => PANEL.test(name));
    this.panel = panel === undefined ? undefined : read(panel);
  }
}

function toFile(name: string, body: Buffer): WidgetFile {
  return {
    name,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    bodies: [
      { encoding: 'br', body: brotliCompressSync(body) },
      { encoding: 'gzip', body: gzipSync(body, { level: 9 }) },
      { encoding: 'identity', body },
    ],
  };
}
