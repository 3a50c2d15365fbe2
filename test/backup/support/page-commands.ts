import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** A block of code of a page, with the heading that it's below. */
export interface PageBlock {
  heading: string;
  language: string;
  text: string;
}

/** The blocks of code of a page of `docs/operate`, in order. */
function blocksOf(page: string): PageBlock[] {
  const blocks: PageBlock[] = [];
  let heading = '';
  const text = readFileSync(`docs/operate/${page}`, 'utf8');
  for (const [, title, indent = '', language, code] of text.matchAll(/^#+ (.*)$|^( *)```(\w+)\n([^]*?)^ *```$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language: language!, text: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), '') });
  }
  return blocks;
}

/** Runs the commands of pages in a shell, with the test's folders and ports in place of the pages' ones. */
export class PageCommands {
  private readonly left: PageBlock[];

  /**
   * @param replacements the parts of the pages that name something of an installation
   * @param environment the variables of the shell
   */
  constructor(
    private readonly page: string,
    private readonly replacements: readonly (readonly [RegExp | string, string])[],
    private readonly environment: NodeJS.ProcessEnv,
    private readonly account: { uid?: number; gid?: number } = {},
  ) {
    this.left = blocksOf(page);
  }

  /** The blocks that weren't taken. */
  get rest(): string[] {
    return this.left.map(({ heading, text }) => `${heading}: ${text.split('\n')[0]!}`);
  }

  /** Takes the next block of a section, with the test's names. @throws Error if there's none */
  take(heading: string, language = 'sh'): string {
    const place = this.left.findIndex((block) => block.heading === heading && block.language === language);
    if (place < 0) throw new Error(`${this.page} has no other ${language} block after "${heading}"`);
    const [block] = this.left.splice(place, 1);
    return this.replacements.reduce((text, [from, to]) => text.replaceAll(from, to), block!.text);
  }

  /** Runs the next block of a section, and returns what it prints. @throws Error if a command fails */
  async run(heading: string): Promise<string> {
    return this.shell(this.take(heading));
  }

  /** Runs the next SQL of a section, and returns what it prints. */
  async query(heading: string, url: string): Promise<string> {
    const text = this.take(heading, 'sql');
    return this.shell(`psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname='${url}' <<'SQL'\n${text}\nSQL`);
  }

  private async shell(text: string): Promise<string> {
    const options = { ...this.account, env: this.environment, cwd: this.environment.HOME, maxBuffer: 10_000_000 };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', text], options);
    return stdout;
  }
}
