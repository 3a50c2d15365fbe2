import { Injectable } from '@nestjs/common';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { StaticFile } from '../../static-file.js';

// The widget's folder, seen from the built service or from the sources.
const FOLDERS = ['../../../../widget/', '../../../../dist/widget/'].map((path) => new URL(path, import.meta.url));

/** The form of a name that contains a hash of the content: `chat.5dR0mQx1.js`, `words.de.5dR0mQx1.js`. */
const NAME = /^([a-z]{1,20}(?:\.[a-z]{2}(?:-[A-Za-z]{2,4})?)?)\.[\w-]{8}\.js$/;

/** The built widget, which is small and kept in memory. */
@Injectable()
export class WidgetFiles {
  readonly launcher?: StaticFile;
  /** By what they are: their name without the hash. */
  private readonly others = new Map<string, StaticFile>();

  constructor() {
    const folder = FOLDERS.find((url) => existsSync(new URL('widget.js', url)));
    if (!folder) return;
    const read = (name: string) => new StaticFile(name, readFileSync(new URL(name, folder)));
    this.launcher = read('widget.js');
    for (const name of readdirSync(folder)) {
      const [, kind] = NAME.exec(name) ?? [];
      if (kind) this.others.set(kind, read(name));
    }
  }

  /** The file with this name, even if the hash in the name is another release's; undefined when there is none. */
  find(name: string): StaticFile | undefined {
    return this.others.get(NAME.exec(name)?.[1] ?? '');
  }
}
