import { Injectable } from '@nestjs/common';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Config } from '../../../platform/config/config.js';
import { withBasePath } from '../addresses.js';
import { StaticFile } from '../../static-file.js';

// The console's folder, seen from the built service or from the sources.
const FOLDERS = ['../../../../console/', '../../../../dist/console/'].map((path) => new URL(path, import.meta.url));

/** The built console, which is small and kept in memory. */
@Injectable()
export class ConsoleFiles {
  readonly page?: StaticFile;
  /** The assets by their names, which contain a hash of their content. */
  readonly assets = new Map<string, StaticFile>();
  /** The manifest, its icons, and the service worker, by their names. */
  readonly app = new Map<string, StaticFile>();

  constructor({ basePath, DRILL, FILE_MAX_SIZE, sendsMail }: Config) {
    const folder = FOLDERS.find((url) => existsSync(new URL('assets/', url)));
    if (!folder) return;
    const page = withBasePath(readFileSync(new URL('index.html', folder), 'utf8'), basePath);
    // The console refuses larger files before it sends them, offers a link by e-mail only with e-mail, and says on every page that it's a
    // drill.
    const sized = page.replace('<html lang="en"', `$& data-max-file="${FILE_MAX_SIZE}"`);
    const mailing = sendsMail ? sized.replace('<html', '<html data-mail') : sized;
    const marked = DRILL ? mailing.replace('<html', '<html data-drill') : mailing;
    this.page = new StaticFile('index.html', Buffer.from(marked));
    readFolder(new URL('assets/', folder), this.assets);
    readFolder(new URL('app/', folder), this.app);
  }
}

function readFolder(folder: URL, files: Map<string, StaticFile>): void {
  for (const name of readdirSync(folder)) files.set(name, new StaticFile(name, readFileSync(new URL(name, folder))));
}
