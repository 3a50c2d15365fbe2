import { Injectable } from '@nestjs/common';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type StaticFile, toStaticFile } from '../static-file.js';

// The widget's folder, seen from the built service or from the sources.
const FOLDERS = ['../../../../widget/', '../../../../dist/widget/'].map((path) => new URL(path, import.meta.url));

/** The form of the panel's name, which contains a hash of its content. */
export const PANEL = /^chat\.[\w-]+\.js$/;

/** The built widget, which is small and kept in memory. */
@Injectable()
export class WidgetFiles {
  readonly launcher?: StaticFile;
  readonly panel?: StaticFile;

  constructor() {
    const folder = FOLDERS.find((url) => existsSync(new URL('widget.js', url)));
    if (!folder) return;
    const read = (name: string) => toStaticFile(name, readFileSync(new URL(name, folder)));
    this.launcher = read('widget.js');
    const panel = readdirSync(folder).find((name) => PANEL.test(name));
    this.panel = panel === undefined ? undefined : read(panel);
  }
}
