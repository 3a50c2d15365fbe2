import { Injectable } from '@nestjs/common';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Config } from '../../../platform/config/config.js';
import { notFound } from '../../../platform/errors/problem.js';
import { StaticFile } from '../../static-file.js';

// The built documentation: in the image, seen from the built service in a clone, and from the sources.
const FOLDERS = ['../../../../docs/', '../../../../../docs/.vitepress/dist/', '../../../../docs/.vitepress/dist/'].map(
  (path) => new URL(path, import.meta.url),
);

/** What the build writes for the path of PUBLIC_URL (docs/.vitepress/base-path.mjs). */
const BASE_PATH = '/__parley_base_path__';
/** Files that contain addresses. */
const TEXTS = new Set(['.css', '.html', '.js', '.json', '.md', '.txt']);

/** The built documentation. A file is read when it's first requested, and kept. */
@Injectable()
export class DocsFiles {
  private folder: URL | undefined;
  /** The files that exist. No path in a request reaches another one. */
  private names = new Set<string>();
  private readonly files = new Map<string, Promise<StaticFile>>();

  constructor(private readonly config: Config) {
    this.find();
  }

  /** Finds the built documentation, if there is one. */
  find(): void {
    this.folder = FOLDERS.find((url) => existsSync(new URL('404.html', url)));
    this.names = new Set(this.folder ? listFiles(this.folder) : []);
  }

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

  private withBasePath(content: Buffer): Buffer {
    const { basePath } = this.config;
    const text = content.toString().replaceAll(BASE_PATH, basePath);
    return Buffer.from(text.replaceAll(toClassName(BASE_PATH), toClassName(basePath)));
  }

  // A build may have replaced the files since the start.
  private async load(name: string): Promise<StaticFile> {
    const content = await readFile(new URL(name, this.folder)).catch(() => {
      this.files.delete(name);
      return notFound('File');
    });
    return new StaticFile(name, TEXTS.has(extname(name)) ? this.withBasePath(content) : content);
  }
}

/** A path as VitePress writes it into the class names of a page. */
function toClassName(path: string): string {
  return path.replace(/[./]+/g, '_');
}

function listFiles(folder: URL, prefix = ''): string[] {
  return readdirSync(new URL(prefix, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    const name = `${prefix}${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, `${name}/`) : [name];
  });
}
