import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * Who chooses the text that an expression sees: `input` comes from strangers, visitors, bots, administrators, or other
 * hosts; `own` is ours; `configuration` comes from operators, or from the site that embeds the widget.
 */
export type Feeder = 'input' | 'own' | 'configuration';

export interface Expression {
  file: string;
  source: string;
  feeder: Feeder;
  /** Maximum number of characters it sees; 0 when it isn't input. */
  max: number;
  /** Why its time grows no faster than its input. */
  why: string;
}

/** A header: Node accepts 16 kB for all of them together. */
const HEADER = 16_384;
const BODY = 262_144;
const CONTENT = 5_000;
const FORM = 'anchored, and there is one way to match each place';
const BOUNDED = 'anchored and of bounded length';
const SEARCH = 'a class or words of fixed length: each place is looked at once';

const listed = (feeder: Feeder, file: string, ...sources: string[]): Expression[] =>
  sources.map((source) => ({ file, source, feeder, max: 0, why: '' }));
const own = (file: string, ...sources: string[]) => listed('own', file, ...sources);
const configuration = (file: string, ...sources: string[]) => listed('configuration', file, ...sources);
const input = (file: string, max: number, why: string, ...sources: string[]): Expression[] =>
  sources.map((source) => ({ file, source, feeder: 'input', max, why }));
const { raw } = String;

/** Every regular expression of the service, the widget, and the example bot. */
export const EXPRESSIONS: readonly Expression[] = [
  ...input(
    'src/auth/visitors/crawler.ts',
    512,
    SEARCH,
    raw`/(?<!cu)bot\b|crawl|spider|slurp|facebookexternalhit|mediapartners|lighthouse|bingpreview/i`,
  ),
  ...input('examples/webhook-bot/webhook-bot.mjs', CONTENT, SEARCH, raw`/\b(?:agent|human|person)\b/i`),
  ...own('console/admin/audit/audit-changes.tsx', raw`/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/`),
  ...own('console/admin/audit/audit.tsx', '/[.](?:deleted|revoked|erased)$/'),
  ...configuration('src/api/public/startup-message.ts', raw`/\/+$/`),
  ...input('src/app.setup.ts', HEADER, BOUNDED, raw`/^[\w.:-]{1,128}$/`),
  ...input(
    'src/platform/http/requests/bearer.ts',
    HEADER,
    'anchored; spaces and others exclude one another',
    raw`/^Bearer +(\S+) *$/i`,
  ),
  ...input('src/auth/context/token-format.ts', HEADER, BOUNDED, '/^[A-Za-z0-9]{38}$/'),
  ...input(
    'src/platform/locale/time-zone.ts',
    64,
    SEARCH,
    raw`/^(?:systemv\/.*|(?!(?:cet|eet|est|gmt|hst|met|mst|prc|roc|rok|uct|utc|wet)$)[a-z]{3})$/i`,
    '/^[+-]/',
    '/[a-z]+/g',
  ),
  ...own('src/platform/locale/time-zone.ts', raw`/\s+/`, raw`/\d+/g`),
  ...configuration('src/cli/confirm.ts', '/^y(es)?$/i'),
  ...configuration('src/cli/connection.ts', '/^https?:$/', raw`/\/+$/`, raw`/^[\x21-\x7e]+$/`),
  ...configuration(
    'src/cli/dev/script.ts',
    raw`/^\/(.+)\/([a-z]*)$/s`,
    'new RegExp(source, flags)',
    `new RegExp(wanted.source, wanted.flags.replace('g', ''))`,
  ),
  ...configuration('src/cli/doctor/check.ts', raw`/\/$/`),
  ...own('src/cli/doctor/health.ts', '/"status":"ok"/'),
  ...configuration('src/cli/doctor/redis.ts', raw`/^rediss?:\/\/\S/`),
  ...own('src/cli/doctor/redis.ts', raw`/^redis_version:(\S+)/m`),
  ...configuration('src/cli/doctor/round-trip.ts', raw`/\/+$/`),
  ...own('src/cli/program.ts', '/^error: /', '/^[ao]/'),
  ...configuration('src/cli/dev/command.ts', raw`/^[1-9]\d{0,8}$/`),
  ...input(
    'src/platform/lib/printable.ts',
    BODY,
    SEARCH,
    raw`/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu`,
  ),
  ...input('src/platform/lib/csv.ts', BODY, SEARCH, raw`/(^|[,;|])[ "]*(?=[=+\-@＝＋－＠])/g`),
  ...input(
    'src/cli/text.ts',
    BODY,
    SEARCH,
    raw`/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g`,
    raw`/\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u`,
  ),
  ...input('src/cli/text.ts', BODY, FORM, raw`/^[\p{Mark}\p{Cf}]+$/u`),
  ...input(
    'src/organizations/color.ts',
    64,
    BOUNDED,
    '/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/',
    raw`/^[+-]?(?:\d{1,8}(?:\.\d{1,8})?|\.\d{1,8})(%|deg|grad|rad|turn)?$/`,
  ),
  ...input(
    'src/organizations/office-hours.ts',
    BODY,
    BOUNDED,
    raw`/^(?:[01]\d|2[0-3]):[0-5]\d$/`,
    raw`/^\d{4}-\d\d-\d\d$/`,
  ),
  ...input('src/api/public/widget/test-chat.controller.ts', HEADER, BOUNDED, '/^prl_wk_[A-Za-z0-9]{1,40}$/'),
  ...configuration('src/cli/organization.ts', raw`/^\w{1,64}$/`),
  ...configuration('src/cli/verbs.ts', raw`/^\d{1,9}$/`),
  ...configuration('src/platform/config/allowed-hosts.ts', raw`/^\[(.*)\]$/`, raw`/^[^/?#@\s*]+$/`, raw`/\.$/`),
  ...configuration(
    'src/platform/config/config.ts',
    raw`/^[\x21-\x7e]{8,}$/`,
    raw`/^\d+$/`,
    raw`/^\d{1,7}(?:\.\d{1,3})?$/`,
    raw`/^rediss?:\/\//`,
    raw`/^\/?\d*$/`,
  ),
  ...input('src/platform/lib/cursor.ts', HEADER, BOUNDED, '/^[a-z]{3}_[0-9a-z]{26}$/'),
  ...own(
    'src/platform/database/database-problem.ts',
    '/^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout|Query runner already released|Database connection provided by a query runner was already released)/',
    '/^(?:08|28|3D|53|57|58|25P0[34])/',
    '/^(?:could not commit transaction for shard|failure on connection marked as essential|postmaster was shut down|Query could not find the intermediate result|server closed the connection|SSL |could not (?:receive|send) data|no connection to the server|connection not open|invalid socket)/',
    raw`/ violates (unique|foreign key) constraint "(\w{1,63}?)(?:_\d{6,})?"$/`,
  ),
  ...own(
    'src/platform/database/citus/per-organization.ts',
    raw`/\b(\w+)\.organization_id = \w+\.organization_id\b/g`,
    raw`/\b(\w+\.organization_id = )\w+\.organization_id\b/g`,
    raw`/\b(\w+\.organization_id = )(ANY \(\$\d+::text\[\]\))/g`,
  ),
  ...own(
    'src/platform/database/citus/shard-functions.ts',
    raw`/\b(\w+\.organization_id) = \w+\.organization_id\b/g`,
    raw`/\b(FROM|JOIN|UPDATE|INTO) (\w+)\b/g`,
  ),
  ...own('src/platform/database/citus/copies.ts', raw`/\b(FROM|JOIN) (\w+)\b/g`),
  ...own('src/platform/database/citus/distribute.ts', raw`/ ON DELETE SET NULL \(\w+\)/`),
  ...configuration(
    'src/platform/config/database-url.ts',
    raw`/^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^@/?]*)([^?]*)(?:\?(.*))?$/s`,
    raw`/^(\[[0-9a-f:.%]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i`,
    raw`/^\[|\]$/g`,
  ),
  ...own('src/platform/database/hosts.ts', '/^(?:08|57P0[123])/'),
  ...input('src/live/connections/exact-parser.ts', BODY, BOUNDED, raw`/^\["([\w:]{1,64})"/`),
  ...input('src/platform/lib/ids.ts', BODY, BOUNDED, '/^[A-Za-z0-9_]{1,64}$/'),
  ...input(
    'src/platform/http/requests/json-body.guard.ts',
    HEADER,
    'anchored; what may stand before the plus holds none itself',
    raw`/^application\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/i`,
  ),
  ...input(
    'src/platform/http/requests/json-body.guard.ts',
    HEADER,
    'what follows a semicolon is read once, up to the next',
    raw`/;[ \t]*charset=(?!"?utf-?8"?[ \t]*(?:;|$))/i`,
  ),
  ...input('src/platform/lib/json.ts', BODY, SEARCH, raw`/[\u0000\ud800-\udfff]/u`),
  ...input('src/platform/lib/json.ts', BODY, SEARCH, raw`/(?:^|\D)\d{16}/`),
  ...input('src/platform/lib/json.ts', BODY, 'sticky: one run of a class', raw`/[-+.\deE]+/y`),
  ...input('src/platform/lib/json.ts', BODY, FORM, raw`/^-?\d+$/`),
  ...input('src/platform/http/responses/access-log.ts', HEADER, BOUNDED, '/^org_[0-9a-z]{26}$/'),
  ...own('src/platform/telemetry/logging.ts', '/^22[0-9A-Z]{3}$/'),
  ...own('src/platform/errors/problem.ts', raw`/^\//`),
  ...input(
    'src/platform/telemetry/trace.ts',
    HEADER,
    BOUNDED,
    '/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/',
  ),
  ...own('src/platform/telemetry/trace.ts', '/^0+$/'),
  ...input('src/platform/validation/validators.ts', HEADER, BOUNDED, raw`/^\d{1,15}$/`),
  ...input('src/platform/validation/misspelt.ts', 100, SEARCH, raw`/[_-]/g`),
  ...input(
    'src/platform/http/responses/etag.ts',
    HEADER,
    'sticky: it is tried at one place, and there is one way to match from there',
    raw`/[ \t,]*/y`,
    raw`/(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/y`,
    raw`/[ \t]*(?:,[ \t,]*|$)/y`,
  ),
  ...input(
    'src/platform/validation/validators.ts',
    BODY,
    SEARCH,
    raw`/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u`,
  ),
  ...input(
    'src/platform/validation/validators.ts',
    BODY,
    BOUNDED,
    raw`/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i`,
  ),
  ...own('src/platform/database/embedded-postgres.ts', '/permission denied/i'),
  ...own('src/platform/database/migrate.ts', '/timeout/i'),
  ...own(
    'src/platform/database/standby.ts',
    raw`/\b(?:INSERT|UPDATE|DELETE|TRUNCATE|SHARE|append_messages_\d+|pg_logical_emit_message)\b/`,
    raw`/set_config\('synchronous_commit', (?:'off'|CASE WHEN true)/`,
  ),
  ...input('src/api/bot/idempotency-key.decorator.ts', HEADER, BOUNDED, raw`/^[\x21-\x7e]{1,255}$/`),
  ...input(
    'src/api/bot/idempotency-key.decorator.ts',
    HEADER,
    'anchored; a backslash begins an escape and is nothing else',
    raw`/^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/`,
  ),
  ...input('src/api/bot/idempotency-key.decorator.ts', HEADER, SEARCH, '/^"|"$/', raw`/\\(.)/g`),
  ...own('src/api/document.ts', raw`/"#\/components\/schemas\/([^"]+)"/g`, raw`/Response$/`, raw`/Dto$/`),
  ...own('src/api/events.dto.ts', raw`/(?:^|\.)(\w)/g`),
  ...input(
    'console/ui/composer/suggestions.tsx',
    CONTENT,
    FORM,
    raw`/^[\p{L}\p{M}\p{N}_-]*$/u`,
    raw`/^(?:[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_ -]*)?$/u`,
  ),
  ...own('console/lib/mentions.ts', raw`/[\p{L}\p{M}\p{N}_]/u`),
  ...input('console/lib/variables.ts', CONTENT, SEARCH, raw`/\{\{([^{}]*)\}\}/g`, raw`/\s+/`),
  ...configuration('console/admin/widget/looks.tsx', '/^#[0-9a-f]{6}$/i'),
  ...own('src/api/admin/admin-api.decorator.ts', raw`/:(\w+)/g`),
  ...input('src/organizations/web-origin.ts', 300, BOUNDED, '/^https?:/'),
  ...input('src/platform/outbound/address-guard.ts', 2_048, SEARCH, raw`/(?:^|\.)localhost\.?$/i`),
  ...input(
    'src/platform/outbound/retry-schedule.ts',
    HEADER,
    'anchored; spaces and digits exclude one another',
    raw`/^\s*\d+\s*$/`,
  ),
  ...input('src/api/public/widget/widget-files.ts', HEADER, FORM, raw`/^([a-z]{1,20}(?:\.[a-z]{2})?)\.[\w-]{8}\.js$/`),
  ...configuration('widget/client/options.ts', '/^https?:$/', raw`/^prl_wk_[\w-]+$/`),
  ...configuration('widget/client/visitor-client.ts', raw`/\/+$/`),
  ...configuration('widget/launcher/appearance.ts', raw`/^(ar|arc|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/`),
  ...own('widget/launcher/contrast.ts', raw`/-?[\d.]+(?:e-?\d+)?/g`),
  ...input(
    'headless/links.ts',
    CONTENT,
    'never fails behind the scheme and a character, and goes on behind what it found',
    raw`/\b(?:https?:\/\/|mailto:|tel:|www\.)[^\s<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gi`,
  ),
  ...input('headless/links.ts', CONTENT, BOUNDED, raw`/^www\./i`),
  ...input(
    'headless/markdown/blocks.ts',
    CONTENT,
    'anchored, and what follows a part cannot be a part of it',
    '/^ {0,3}(`{3,}|~{3,})/',
    raw`/^ {0,3}#{1,6}[ \t]+(.*)$/`,
    raw`/^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/`,
    '/^ {0,3}> ?/',
    raw`/^( {0,12})([-*+]|\d{1,9}[.)])( {1,4}|$)/`,
    '/^ *:?-+:? *$/',
    raw`/^ {0,12}(?:#{1,6}|[-*+]|\d{1,9}[.)]?|>|` + '`{1,2}' + raw`|~{1,2}|--|\*\*|__|\|.*) *$/`,
    '/^[ |:-]*$/',
    raw`/^\d/`,
    '/ #+ *$/',
  ),
  ...input('headless/markdown/inline.ts', CONTENT, SEARCH, raw`/[\s"]/`, '/^<(.*)>$/'),
  ...input(
    'headless/markdown/marks.ts',
    CONTENT,
    'a class, the beginning of a line, or a label that ends at the next bracket',
    raw`/[*_` + '`' + raw`~#>|[\\]|^ {0,3}(?:[-+]|\d{1,9}[.)]) |^---/m`,
    raw`/\[([^\][]*)\]\([^()\s]*\)/g`,
    '/[*`~]+|^ {0,3}(?:#+|>) /gm',
    raw`/^ {0,3}\|(.*)$/gm`,
    '/^:?-+:?$/',
  ),
  ...input(
    'widget/parts/chats/transcript.ts',
    CONTENT,
    'what stands between two marks has none of them in it, so no two attempts read the same text',
    raw`/\[([^\][]*)\]\(([^()\s]*)\)/g`,
    raw`/(\*{1,3}|~~|` + '`' + raw`{1,3})(?!\s)([^*~` + '`' + raw`\n]+)(?<!\s)\1/g`,
  ),
  ...configuration('widget/client/settings.ts', raw`/\/+$/`),
  ...configuration('widget/client/socket.ts', raw`/\/?$/`),
  ...configuration('widget/launcher/widget.ts', raw`/\/+$/`),
  ...configuration('widget/client/words.ts', '/-.*/s'),
  ...input('headless/markdown/site.ts', CONTENT, SEARCH, raw`/[\s/@:?#()<>[\]"',;]+/`, raw`/^www\./`),
  ...configuration('widget/launcher/languages.ts', raw`/^(ar|de|es|fr|it|ja|nl|pl|pt|tr|zh(?!-(Hant|TW|HK|MO)))\b/`),
  ...configuration('widget/parts/news/title.ts', raw`/^\(\d+\) /`),
  ...configuration('widget/panel/rich.tsx', raw`/\{(\w+)\}/`),
  ...configuration('headless/text.ts', raw`/\{(\w+)\}/g`),
  ...input(
    'src/api/public/health/same-machine.ts',
    HEADER,
    'digits behind a colon, of which no two runs overlap',
    raw`/:\d+$/`,
  ),
  ...input(
    'src/api/public/health/same-machine.ts',
    HEADER,
    FORM,
    '/^(?:x-forwarded-.*|x-real-ip|forwarded|via|cf-.*)$/',
    raw`/^\[(.*)\]$/`,
  ),
  ...own(
    'src/platform/database/embedded-postgres.ts',
    raw`/pre-existing shared memory block|lock file ".*" already exists/`,
  ),
  // It sees only the last 26 characters of a hint.
  ...own('src/platform/cluster/hint-signer.ts', 'new RegExp(`,"[\\\\w-]{${CODE_LENGTH}}"\\\\]$`)'),
];

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CODE = /(?<!spec)\.(?:[jt]sx?|mjs)$/;

/** `file source` of every regular expression in the code, once per file. */
export function expressionsInCode(): string[] {
  const files = ['src', 'headless', 'widget', 'console', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const code = files.filter((file) => CODE.test(file) && !file.includes('node_modules'));
  return [...new Set(code.flatMap((file) => expressionsOf(file).map((source) => `${file} ${source}`)))];
}

function expressionsOf(file: string): string[] {
  const tree = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isMade =
      (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === 'RegExp';
    if (isMade || ts.isRegularExpressionLiteral(node)) found.push(node.getText(tree));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The expression that a literal of the table stands for. */
export function compile(source: string): RegExp {
  const end = source.lastIndexOf('/');
  return new RegExp(source.slice(1, end), source.slice(end + 1));
}
