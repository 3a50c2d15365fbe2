import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isAbout, NOT_RUN, RUNNABLE, type Sample, SAMPLES } from './support/samples.js';
import { STORIES } from './support/stories.js';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PACKAGE = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { scripts: Record<string, string> };
const of = (...languages: string[]) => SAMPLES.filter(({ language }) => languages.includes(language));
const named = (samples: readonly Sample[]) => samples.map((sample): [string, Sample] => [sample.place, sample]);

/** Loose, because samples are JavaScript without types. */
const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: false,
  noImplicitAny: false,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  typeRoots: [inRoot('node_modules/@types')],
  types: ['node'],
  paths: {
    'parley-bot': [inRoot('dist/packages/bot/index.d.ts')],
    'parley-bot/test': [inRoot('dist/packages/bot/test.d.ts')],
    'parley-visitor': [inRoot('dist/visitor/widget/client.d.ts')],
    standardwebhooks: [inRoot('node_modules/standardwebhooks')],
    'socket.io-client': [inRoot('node_modules/socket.io-client')],
  },
};

/** What JavaScript may do with the types of the platform, which TypeScript would need annotations for. */
const ALLOWED =
  /on type '(?:\{\}|Element|Event|unknown)'|'IncomingHttpHeaders'|'boolean' is not assignable to type 'string'/;

/** The errors of JavaScript samples, with their places in the pages. */
function typeErrors(samples: readonly Sample[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-samples-'));
  try {
    const places = new Map<string, Sample>();
    for (const [index, sample] of samples.entries()) {
      const file = join(folder, `sample${index}.mjs`);
      places.set(file, sample);
      // Another sample of the page, whose `bot` globals.d.ts declares.
      const text = sample.text.replace(/^import \{ bot \} from '\.\/bot\.mjs';$/m, '');
      writeFileSync(file, `${text}\nexport {};\n`);
    }
    const program = ts.createProgram([...places.keys(), inRoot('test/docs/support/globals.d.ts')], OPTIONS);
    const errors = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line : 0;
      return `${places.get(file?.fileName ?? '')?.place ?? file?.fileName}, line ${line + 1} of the sample: ${text}`;
    });
    return errors.filter((error) => !ALLOWED.test(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether TypeScript can parse a text, or can as the body of a class or an object. */
const isTypeScript = (text: string) =>
  [text, `class Sample {\n${text}\n}`, `const sample = {\n${text}\n};`].some(
    (program) => ts.transpileModule(program, { reportDiagnostics: true }).diagnostics?.length === 0,
  );

describe('the samples in the documentation', () => {
  it('every sample is run, or listed with the reason why not', () => {
    const without = RUNNABLE.filter(({ page }) => !STORIES.some((story) => story.page === page));
    expect(without.map(({ place, language }) => `${place} (${language})`)).toEqual([]);
  });

  it('every listed reason is about a sample', () => {
    expect(NOT_RUN.filter((entry) => !SAMPLES.some((sample) => isAbout(entry, sample)))).toEqual([]);
  });

  it('every sample has a language, unless it is the output of a command', () => {
    const outputs = SAMPLES.filter(({ language }) => language === '').map(({ page }) => page);
    expect([...new Set(outputs)].toSorted()).toEqual([
      'README.md',
      'docs/bots/parley-dev.md',
      'docs/inside/migrations.md',
      'docs/operate/command-line.md',
      'docs/operate/upgrades.md',
      'docs/start/index.md',
      'docs/website/files.md',
      'docs/website/index.md',
    ]);
  });

  it('JavaScript samples match the types of the built packages', () => {
    expect(typeErrors(of('js').filter(({ text }) => !text.includes('async function take(request)')))).toEqual([]);
  });

  it.each(named(of('ts')))('TypeScript can be parsed: %s', (_place, { text }) => {
    expect(isTypeScript(text)).toBe(true);
  });

  it.each(named(of('json')))('JSON can be parsed: %s', (_place, { text }) => {
    expect(JSON.parse(text)).toEqual(expect.any(Object));
  });

  it.each(named(of('sh')).filter(() => process.platform !== 'win32'))(
    'sh can parse the commands: %s',
    (_place, { text }) => {
      expect(() => execFileSync('sh', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'pipe'] })).not.toThrow();
    },
  );

  it.each(named(of('sh')))("commands name the repository's own scripts and folders: %s", (_place, { text }) => {
    const scripts = Array.from(text.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g), ([, name]) => name!);
    expect(scripts.filter((name) => !(name in PACKAGE.scripts))).toEqual([]);
    const paths = Array.from(
      text.matchAll(/\b(?:npm test -- |node (?=scripts\/|bench\/|examples\/))([\w./-]+)/g),
      ([, path]) => path!,
    );
    const exists = (path: string) =>
      [path, `${path}.e2e-spec.ts`, `${path}.spec.ts`].some((each) => existsSync(inRoot(each)));
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });
});
