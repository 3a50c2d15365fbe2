import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsOptional, IsUrl, Matches, validateSync } from 'class-validator';
import { compile } from 'proxy-addr';
import { isAddress, parseAllowedHosts } from './allowed-hosts.js';
import { basePathOf, findPathFault } from './base-path.js';
import { parametersOf } from './database-connection.js';
import { hostsOf } from './database-url.js';
import { Check } from '../validation/validators.js';
import { findOriginFault, parseScanUrl, parseStoreUrl } from './files-url.js';
import { localSecrets } from './local-secrets.js';
import {
  findAddressFault,
  findAuthservIdFault,
  findDnsNameFault,
  findMailFault,
  findReplyFault,
  parseDkimKey,
  parseMailbox,
} from './mail-variables.js';
import { parseImapUrl, parseSmtpUrl } from './mail-url.js';
import { findOAuthUrlFault, findTenantFault, OAUTH_PROVIDERS } from './oauth-variables.js';
import { parseVapidKeys, VAPID_KEYS_FORM } from './vapid-variables.js';
import { rangeOf, type VariableName, VARIABLES } from './variables.js';

const ENVIRONMENTS = ['production', 'development', 'test'];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const NEEDED_IN_PRODUCTION = ['DATABASE_URL', 'ADMIN_TOKEN', 'SECRET_KEY'] as const;
const SECRET = /^[\x21-\x7e]{8,}$/;
const SECRET_FORM = 'must have at least 8 visible ASCII characters and no space';
/**
 * The shortest secret allowed in production, in characters: longer ones can't be guessed. Generated secrets are longer.
 */
export const MIN_PRODUCTION_SECRET = 32;
const STRONG_IN_PRODUCTION = ['ADMIN_TOKEN', 'SECRET_KEY'] as const;
const REDIS_FORM = 'must be a URL like redis://user:password@host:6379/0 or rediss://…';
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];
const PROXY_FORM = 'must be a number of proxies or a list of addresses (10.0.0.0/8, loopback, uniquelocal)';
const TRANSPORTS = ['websocket', 'polling'] as const;
type Transport = (typeof TRANSPORTS)[number];
const SWITCH: Record<string, boolean> = { '0': false, '1': true, false: false, true: true };
const SWITCH_FORM = 'must be 0 or 1';
/** A drill's line for the log, health checks, and doctor. */
export const DRILL_DETAIL = 'this is a drill (DRILL): no webhook is sent, and nothing expires or is removed by itself';
/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (CONTRACT: Webhooks). */
const RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MAX_RETRIES = 50;
const MAX_RETRY_SECONDS = 30 * 86_400;
/** 1 min, 5 min, 15 min, 1 h; the last one repeats (CONTRACT: E-mail). */
const MAIL_RETRY_SECONDS: readonly number[] = [60, 300, 900, 3_600];
const RETRY_FORM = `must be up to ${MAX_RETRIES} numbers of seconds like 5,300,1800, each at most ${MAX_RETRY_SECONDS}`;

/** A whole number within its range, in digits only: `0x50`, `1e3` and values with a space are rejected. */
const Whole: PropertyDecorator = (target, name) => {
  const [min, max] = rangeOf(name as VariableName);
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  const parse = Transform(({ obj, key }) => {
    const text = (obj as Record<string, unknown>)[key];
    return /^\d+$/.test(String(text)) ? Number(text) : text;
  });
  const check = Check('whole', (value) => (isWhole(value) ? null : `must be an integer from ${min} to ${max}`));
  for (const decorate of [parse, check]) decorate(target, name);
};

/** The environment of the service (CONTRACT: Running Parley); the only reader of `process.env`. VARIABLES says what each one does. */
export class Config {
  @IsOptional()
  @IsIn(ENVIRONMENTS, { message: `must be one of ${ENVIRONMENTS.join(', ')}` })
  readonly NODE_ENV?: string;

  readonly HOST: string = '127.0.0.1';

  @Whole
  readonly PORT: number = 3000;

  @IsOptional()
  @Check('database', (value) => faultOf(() => hostsOf(String(value)).map(({ url }) => parametersOf(url))))
  readonly DATABASE_URL?: string;

  @Whole
  readonly DATABASE_POOL_SIZE: number = 20;

  @Whole
  readonly MIGRATION_WAIT_MINUTES: number = 60;

  @IsOptional()
  @Check('redis', (value) => (isRedisAddress(String(value)) ? null : REDIS_FORM))
  readonly REDIS_URL?: string;

  readonly DATA_DIR: string = './data';

  @Matches(SECRET, { message: SECRET_FORM })
  readonly ADMIN_TOKEN!: string;

  @Matches(SECRET, { message: SECRET_FORM })
  readonly SECRET_KEY!: string;

  @IsOptional()
  @Matches(SECRET, { message: SECRET_FORM })
  readonly SECRET_KEY_PREVIOUS?: string;

  @IsOptional()
  @Matches(SECRET, { message: SECRET_FORM })
  readonly METRICS_TOKEN?: string;

  @IsOptional()
  // The decorator below comes first.
  @Check('path', (value) => findPathFault(String(value)))
  @IsUrl(
    {
      require_tld: false,
      protocols: ['http', 'https'],
      require_protocol: true,
      disallow_auth: true,
      allow_query_components: false,
      allow_fragments: false,
    },
    { message: 'must be an http(s) URL without a user name, a query (?) or a fragment (#)' },
  )
  readonly PUBLIC_URL?: string;

  @Whole
  readonly BOT_RATE_LIMIT: number = 500;

  @Whole
  readonly VISITOR_RATE_LIMIT: number = 100;

  @Whole
  readonly AGENT_RATE_LIMIT: number = 100;

  @Whole
  readonly WRONG_TOKEN_LIMIT: number = 300;

  @Whole
  readonly NEW_VISITOR_LIMIT: number = 300;

  @Whole
  readonly VISITOR_CONNECTION_LIMIT: number = 1000;

  @Whole
  readonly ANONYMOUS_MESSAGES_PER_DAY: number = 20_000;

  @Whole
  readonly ANONYMOUS_BYTES_PER_DAY: number = 100_000_000;

  @Whole
  readonly ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY: number = 2_000_000;

  @Whole
  readonly ANONYMOUS_ORGANIZATION_BYTES_PER_DAY: number = 10_000_000_000;

  @Whole
  readonly ANONYMOUS_RETENTION_DAYS: number = 30;

  @Whole
  readonly DELETED_ORGANIZATION_DAYS: number = 7;

  @Transform(({ obj }) => parseTransports((obj as { SOCKET_TRANSPORTS: string }).SOCKET_TRANSPORTS))
  @Check('transports', (value) => (Array.isArray(value) ? null : `must be some of ${TRANSPORTS.join(', ')}`))
  readonly SOCKET_TRANSPORTS!: readonly Transport[];

  @IsOptional()
  @Check('allowedHosts', (value) => faultOf(() => parseAllowedHosts(String(value))))
  readonly WEBHOOK_ALLOWED_HOSTS?: string;

  @Transform(({ obj }) => parseSeconds((obj as Given).WEBHOOK_RETRY_SECONDS, RETRY_SECONDS))
  @Check('retrySeconds', (value) => (Array.isArray(value) ? null : RETRY_FORM))
  readonly WEBHOOK_RETRY_SECONDS: readonly number[] = RETRY_SECONDS;

  @Whole
  readonly WEBHOOK_RETENTION_DAYS: number = 7;

  @IsOptional()
  @Check('trustProxy', findProxyFault)
  readonly TRUST_PROXY?: string;

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  readonly LOG_LEVEL: string = 'info';

  @Transform(({ obj }) => SWITCH[(obj as { DEMO: string }).DEMO])
  @IsIn([true, false], { message: SWITCH_FORM })
  readonly DEMO: boolean = true;

  @Transform(({ obj }) => SWITCH[(obj as { DRILL: string }).DRILL])
  @IsIn([true, false], { message: SWITCH_FORM })
  readonly DRILL: boolean = false;

  @IsOptional()
  @Check('storeUrl', (value) => faultOf(() => parseStoreUrl(String(value))))
  readonly FILES_URL?: string;

  @IsOptional()
  @Check('publicStore', (value, config) => findPublicStoreFault(value, config as Config))
  readonly FILES_PUBLIC_URL?: string;

  @IsOptional()
  @Check('origin', findOriginFault)
  readonly FILES_ORIGIN?: string;

  @Whole
  readonly FILE_MAX_SIZE: number = 26_214_400;

  @IsOptional()
  @Transform(({ obj }) => parseBytes((obj as { FILES_MIN_FREE?: string }).FILES_MIN_FREE))
  @Check('minFree', (value) => (Number.isSafeInteger(value) ? null : 'must be a number of bytes, in digits alone'))
  readonly FILES_MIN_FREE?: number;

  @IsOptional()
  @Check('scanUrl', (value) => faultOf(() => parseScanUrl(String(value))))
  readonly FILE_SCAN_URL?: string;

  @IsOptional()
  @Check('smtpUrl', (value) => faultOf(() => parseSmtpUrl(String(value))))
  readonly SMTP_URL?: string;

  @IsOptional()
  @Check('imapUrl', (value) => faultOf(() => parseImapUrl(String(value))))
  readonly IMAP_URL?: string;

  @IsOptional()
  @IsIn(OAUTH_PROVIDERS, { message: `must be one of ${OAUTH_PROVIDERS.join(', ')}` })
  readonly MAIL_OAUTH_PROVIDER?: string;

  @IsOptional()
  readonly MAIL_OAUTH_CLIENT_ID?: string;

  @IsOptional()
  readonly MAIL_OAUTH_CLIENT_SECRET?: string;

  @IsOptional()
  @Check('tenant', findTenantFault)
  readonly MAIL_OAUTH_TENANT?: string;

  @IsOptional()
  @Check('oauthUrl', findOAuthUrlFault)
  readonly MAIL_OAUTH_AUTHORIZE_URL?: string;

  @IsOptional()
  @Check('oauthUrl', findOAuthUrlFault)
  readonly MAIL_OAUTH_TOKEN_URL?: string;

  @IsOptional()
  readonly MAIL_OAUTH_SCOPE?: string;

  @IsOptional()
  @Check('mailbox', (value) => faultOf(() => parseMailbox(String(value))))
  readonly MAIL_FROM?: string;

  @IsOptional()
  @Check('replyAddress', findReplyFault)
  readonly MAIL_REPLY_ADDRESS?: string;

  @IsOptional()
  @Check('address', findAddressFault)
  readonly MAIL_SENDER?: string;

  @IsOptional()
  @Check('dnsName', findDnsNameFault)
  readonly MAIL_DKIM_DOMAIN?: string;

  @IsOptional()
  @Check('dnsName', findDnsNameFault)
  readonly MAIL_DKIM_SELECTOR?: string;

  @IsOptional()
  @Check('dkimKey', (value) => faultOf(() => parseDkimKey(String(value))))
  readonly MAIL_DKIM_KEY?: string;

  @IsOptional()
  @Check('authservId', findAuthservIdFault)
  readonly MAIL_AUTHSERV_ID?: string;

  @IsOptional()
  @Matches(SECRET, { message: SECRET_FORM })
  readonly MAIL_INBOUND_TOKEN?: string;

  @Whole
  readonly MAIL_MAX_PER_HOUR: number = 200;

  @Transform(({ obj }) => parseSeconds((obj as Given).MAIL_RETRY_SECONDS, MAIL_RETRY_SECONDS))
  @Check('retrySeconds', (value) => (Array.isArray(value) ? null : RETRY_FORM))
  readonly MAIL_RETRY_SECONDS: readonly number[] = MAIL_RETRY_SECONDS;

  @Transform(({ obj }) => parseVapidKeys((obj as Given).VAPID_KEYS))
  @Check('vapidKeys', (value) => (Array.isArray(value) ? null : VAPID_KEYS_FORM))
  readonly VAPID_KEYS: readonly string[] = [];

  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }

  /** Whether mail can be sent. A drill sends none. */
  get sendsMail(): boolean {
    const { SMTP_URL, MAIL_FROM, PUBLIC_URL, DRILL } = this;
    return SMTP_URL !== undefined && MAIL_FROM !== undefined && PUBLIC_URL !== undefined && !DRILL;
  }

  /** Whether mail is read from a mailbox: it answers mail that was sent. A drill reads none. */
  get readsMailbox(): boolean {
    return this.IMAP_URL !== undefined && this.sendsMail;
  }

  /** The path of PUBLIC_URL, which begins every address of the service: `/chat`; empty without one. */
  get basePath(): string {
    return basePathOf(this.PUBLIC_URL);
  }
}

/** The lists of seconds as they're given. */
interface Given {
  WEBHOOK_RETRY_SECONDS?: string;
  MAIL_RETRY_SECONDS?: string;
  VAPID_KEYS?: string;
}

/** A variable is missing or wrong. The message is the line to print. */
export class ConfigError extends Error {}

/**
 * Reads and validates the environment once. Outside production, a missing ADMIN_TOKEN or SECRET_KEY is generated once
 * and kept in DATA_DIR. An empty variable counts as unset.
 * @throws ConfigError that names the variable
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  if (set.NODE_ENV === 'production') {
    const missing = NEEDED_IN_PRODUCTION.find((name) => set[name] === undefined);
    if (missing) throw new ConfigError(`${missing} is required when NODE_ENV is production`);
  } else {
    Object.assign(set, generatedSecrets(set));
  }
  set.DRILL ??= '0';
  // The nodes on this Redis serve the original database, and would take a copy's hints for their own.
  if (SWITCH[set.DRILL]) delete set.REDIS_URL;
  set.DEMO ??= set.NODE_ENV === 'production' ? '0' : '1';
  set.SOCKET_TRANSPORTS ??= set.REDIS_URL === undefined ? TRANSPORTS.join(',') : 'websocket';
  const config = plainToInstance(Config, pickKnown(set), { enableImplicitConversion: true });
  const [error] = validateSync(config, { stopAtFirstError: true });
  if (error) throw new ConfigError(`${error.property} ${Object.values(error.constraints ?? {})[0]}`);
  const mailFault = findMailFault(config);
  if (mailFault !== null) throw new ConfigError(mailFault);
  if (config.SECRET_KEY_PREVIOUS === config.SECRET_KEY)
    throw new ConfigError('SECRET_KEY_PREVIOUS must differ from SECRET_KEY');
  if (config.isProduction) refuseWeakSecrets(config);
  return Object.freeze(config);
}

function findPublicStoreFault(value: unknown, { FILES_URL, FILES_ORIGIN, PUBLIC_URL }: Config): string | null {
  const fault = findOriginFault(value);
  if (fault !== null) return fault;
  if (FILES_URL === undefined) return 'needs FILES_URL';
  const { origin } = new URL(String(value));
  const isOwn = [FILES_ORIGIN, PUBLIC_URL].some((own) => own && URL.canParse(own) && new URL(own).origin === origin);
  return isOwn ? 'must not be the origin of PUBLIC_URL or FILES_ORIGIN' : null;
}

function parseBytes(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function refuseWeakSecrets(config: Config): void {
  const weak = STRONG_IN_PRODUCTION.find((name) => config[name].length < MIN_PRODUCTION_SECRET);
  if (!weak) return;
  const least = `${weak} must have at least ${MIN_PRODUCTION_SECRET} characters when NODE_ENV is production`;
  throw new ConfigError(`${least} (openssl rand -hex 32 makes one)`);
}

function generatedSecrets(set: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (set.ADMIN_TOKEN && set.SECRET_KEY) return {};
  const directory = set.DATA_DIR ?? './data';
  try {
    const { ADMIN_TOKEN, SECRET_KEY } = localSecrets(directory);
    return { ADMIN_TOKEN: set.ADMIN_TOKEN ?? ADMIN_TOKEN, SECRET_KEY: set.SECRET_KEY ?? SECRET_KEY };
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${directory} cannot be used: ${(error as Error).message}`);
  }
}

// The types require a row for every field, and a field for every row.
function pickKnown(set: NodeJS.ProcessEnv): Partial<Record<keyof Pick<Config, VariableName>, string>> {
  const known: Record<
    Exclude<keyof Config, 'isProduction' | 'sendsMail' | 'readsMailbox' | 'basePath'>,
    object
  > = VARIABLES;
  return Object.fromEntries(Object.entries(set).filter(([name]) => Object.hasOwn(known, name)));
}

function parseSeconds(text: string | undefined, usual: readonly number[]): readonly number[] | string {
  if (text === undefined) return usual;
  const parts = text.split(',').map((part) => part.trim());
  const isGood = parts.every((part) => /^\d{1,7}(?:\.\d{1,3})?$/.test(part) && Number(part) <= MAX_RETRY_SECONDS);
  return isGood && parts.length <= MAX_RETRIES ? parts.map(Number) : text;
}

function isRedisAddress(value: string): boolean {
  if (!/^rediss?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { hostname, pathname } = new URL(value);
  return hostname !== '' && /^\/?\d*$/.test(pathname);
}

function parseTransports(text: string): string[] | string {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => (TRANSPORTS as readonly string[]).includes(name)) ? names : text;
}

/** Returns the message of the error that `parse` throws; null when it throws none. */
function faultOf(parse: () => unknown): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function findProxyFault(value: unknown): string | null {
  try {
    const proxies = parseProxies(String(value));
    if (typeof proxies === 'number') return null;
    if (!proxies.every(isProxy)) return PROXY_FORM;
    compile(proxies);
    return null;
  } catch {
    return PROXY_FORM;
  }
}

/** Whether an entry is a name, an address or a network; `compile` alone also accepts `1` and `0x1` as 0.0.0.1. */
function isProxy(entry: string): boolean {
  return PROXY_NAMES.includes(entry) || isAddress(entry.split('/')[0]!);
}

function parseProxies(text: string): number | string[] {
  const entries = text.split(',').map((part) => part.trim());
  return /^\d+$/.test(text.trim()) ? Number(text) : entries;
}

/** TRUST_PROXY as Express expects it. */
export function trustedProxies({ TRUST_PROXY }: Config): number | string[] | false {
  return TRUST_PROXY === undefined ? false : parseProxies(TRUST_PROXY);
}
