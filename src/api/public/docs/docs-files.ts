import { Injectable } from '@nestjs/common';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { notFound } from '../../../platform/errors/problem.js';
import { StaticFile } from '../../static-file.js';

// The built documentation: in the image, seen from the built service in a clone, and from the sources.
const FOLDERS = ['../../../../docs/', '../../../../../docs/.vitepress/dist/', '../../../../docs/.vitepress/dist/'].map(
  (path) => new URL(path, import.meta.url),
);

/** The built documentation. A file is read when it's first requested, and kept. */
@Injectable()
export class DocsFiles {
  private readonly folder = FOLDERS.find((url) => existsSync(new URL('404.html', url)));
  /** The files that exist. No path in a request reaches another one. */
  private readonly names = new Set(this.folder ? listFiles(this.folder) : []);
  private readonly files = new Map<string, Promise<StaticFile>>();

  /** False in an installation that was built without its documentation. */
  get isBuilt(): boolean {
    return this.names.size > 0;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** @param name a file that exists */
  read(name: string): Promise<StaticFile> {
    const file = this.files.get(name) ?? this.load(name);
    this.files.set(name, file);
    return file;
  }

  // A build may have replaced the files since the start.
  private async load(name: string): Promise<StaticFile> {
    const content = await readFile(new URL(name, this.folder)).catch(() => {
      this.files.delete(name);
      return notFound('File');
    });
    return new StaticFile(name, content);
  }
}

function listFiles(folder: URL, prefix = ''): string[] {
  return readdirSync(new URL(prefix, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    const name = `${prefix}${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, `${name}/`) : [name];
  });
}
