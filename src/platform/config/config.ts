import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsOptional, IsUrl, Matches, validateSync } from 'class-validator';
import { compile } from 'proxy-addr';
import { isAddress, parseAllowedHosts } from './allowed-hosts.js';
import { hostsOf } from './database-url.js';
import { Check } from '../validation/validators.js';
import { localSecrets } from './local-secrets.js';

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
const SWITCH: Record<string, boolean> = { '0': false, '1': true };
const MAX_LIMIT = 1_000_000;
const MAX_AMOUNT = 1_000_000_000_000;
const MAX_DAYS = 3_650;
/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (CONTRACT section 4). */
const RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MAX_RETRIES = 50;
const MAX_RETRY_SECONDS = 30 * 86_400;
const RETRY_FORM = `must be up to ${MAX_RETRIES} numbers of seconds like 5,300,1800, each at most ${MAX_RETRY_SECONDS}`;

/** A whole number in digits only: `0x50`, `1e3` and values with a space are rejected. */
function Whole(min: number, max: number): PropertyDecorator {
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return applyDecorators(
    Transform(({ obj, key }) => {
      const text = (obj as Record<string, unknown>)[key];
      return /^\d+$/.test(String(text)) ? Number(text) : text;
    }),
    Check('whole', (value) => (isWhole(value) ? null : `must be an integer from ${min} to ${max}`)),
  );
}

/** The environment of the service (CONTRACT section 6); the only reader of `process.env`. */
export class Config {
  @IsOptional()
  @IsIn(ENVIRONMENTS, { message: `must be one of ${ENVIRONMENTS.join(', ')}` })
  readonly NODE_ENV?: string;

  /** The address to listen on. */
  readonly HOST: string = '127.0.0.1';

  @Whole(0, 65_535)
  readonly PORT: number = 3000;

  /** One or more hosts; the one that accepts writes is used. Unset: an embedded PostgreSQL under DATA_DIR. */
  @IsOptional()
  @Check('database', (value) => faultOf(() => hostsOf(String(value))))
  readonly DATABASE_URL?: string;

  /** Maximum database connections of this process. */
  @Whole(2, 1000)
  readonly DATABASE_POOL_SIZE: number = 20;

  /** The Redis server that carries hints between the nodes of an installation. Unset: this is the only node. */
  @IsOptional()
  @Check('redis', (value) => (isRedisAddress(String(value)) ? null : REDIS_FORM))
  readonly REDIS_URL?: string;

  /** Where an embedded database and generated secrets are kept. */
  readonly DATA_DIR: string = './data';

  @Matches(SECRET, { message: SECRET_FORM })
  readonly ADMIN_TOKEN!: string;

  /** Signs visitor tokens and encrypts stored secrets. */
  @Matches(SECRET, { message: SECRET_FORM })
  readonly SECRET_KEY!: string;

  /** The bearer token of `/metrics`. Unset: only direct requests from this machine, through no proxy, may read them. */
  @IsOptional()
  @Matches(SECRET, { message: SECRET_FORM })
  readonly METRICS_TOKEN?: string;

  /** The URL of this service for its clients. Unset: made from HOST and PORT. */
  @IsOptional()
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

  /** Requests per second per access token; 0 = off. */
  @Whole(0, MAX_LIMIT)
  readonly BOT_RATE_LIMIT: number = 500;

  /** Requests and socket events per second per visitor, and sessions per second per address; 0 = off. */
  @Whole(0, MAX_LIMIT)
  readonly VISITOR_RATE_LIMIT: number = 100;

  /** Requests per second per agent session; 0 = off. */
  @Whole(0, MAX_LIMIT)
  readonly AGENT_RATE_LIMIT: number = 100;

  /** Wrong tokens of any kind per minute per address; beyond it they get 429 until the minute ends. 0 = off. */
  @Whole(0, MAX_LIMIT)
  readonly WRONG_TOKEN_LIMIT: number = 300;

  /** New visitors per minute per address, and new chats per minute per address; 0 = off. */
  @Whole(0, MAX_LIMIT)
  readonly NEW_VISITOR_LIMIT: number = 300;

  /** Open sockets per address; 0 = off. */
  @Whole(0, MAX_LIMIT)
  readonly VISITOR_CONNECTION_LIMIT: number = 1000;

  /** Messages per day that one address's anonymous visitors may store; 0 = off. */
  @Whole(0, MAX_AMOUNT)
  readonly ANONYMOUS_MESSAGES_PER_DAY: number = 20_000;

  /** Bytes per day that one address's anonymous visitors may store; 0 = off. */
  @Whole(0, MAX_AMOUNT)
  readonly ANONYMOUS_BYTES_PER_DAY: number = 100_000_000;

  /** Messages per day that an organization's anonymous visitors may store; 0 = off. */
  @Whole(0, MAX_AMOUNT)
  readonly ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY: number = 2_000_000;

  /** Bytes per day that an organization's anonymous visitors may store; 0 = off. */
  @Whole(0, MAX_AMOUNT)
  readonly ANONYMOUS_ORGANIZATION_BYTES_PER_DAY: number = 10_000_000_000;

  /** Days before an anonymous visitor without messages is removed; 0 = never. */
  @Whole(0, MAX_DAYS)
  readonly ANONYMOUS_RETENTION_DAYS: number = 30;

  /**
   * Transports that visitors' sockets may use. All polling requests of a socket must reach the same node, so with
   * several nodes allow polling only behind a load balancer with sticky sessions.
   */
  @Transform(({ obj }) => parseTransports((obj as { SOCKET_TRANSPORTS: string }).SOCKET_TRANSPORTS))
  @Check('transports', (value) => (Array.isArray(value) ? null : `must be some of ${TRANSPORTS.join(', ')}`))
  readonly SOCKET_TRANSPORTS!: readonly Transport[];

  /** Private hosts that webhooks may reach: host, host:port, address or CIDR, comma separated. */
  @IsOptional()
  @Check('allowedHosts', (value) => faultOf(() => parseAllowedHosts(String(value))))
  readonly WEBHOOK_ALLOWED_HOSTS?: string;

  /** Seconds before each retry of a delivery, comma separated. After the last retry the delivery is dead. */
  @Transform(({ obj }) => parseSeconds((obj as { WEBHOOK_RETRY_SECONDS?: string }).WEBHOOK_RETRY_SECONDS))
  @Check('retrySeconds', (value) => (Array.isArray(value) ? null : RETRY_FORM))
  readonly WEBHOOK_RETRY_SECONDS: readonly number[] = RETRY_SECONDS;

  /** Days to keep a delivery after it was delivered. */
  @Whole(1, 3650)
  readonly WEBHOOK_RETENTION_DAYS: number = 7;

  /** The proxies whose X-Forwarded-For is trusted: their number or their addresses. */
  @IsOptional()
  @Check('trustProxy', findProxyFault)
  readonly TRUST_PROXY?: string;

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  readonly LOG_LEVEL: string = 'info';

  /** Whether to create the demo organization on an empty database: 0 or 1. Unset: 1, in production 0. */
  @Transform(({ obj }) => SWITCH[(obj as { DEMO: string }).DEMO])
  @IsIn([true, false], { message: 'must be 0 or 1' })
  readonly DEMO: boolean = true;

  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }
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
  set.DEMO ??= set.NODE_ENV === 'production' ? '0' : '1';
  set.SOCKET_TRANSPORTS ??= set.REDIS_URL === undefined ? TRANSPORTS.join(',') : 'websocket';
  const config = plainToInstance(Config, pickKnown(set), { enableImplicitConversion: true });
  const [error] = validateSync(config, { stopAtFirstError: true });
  if (error) throw new ConfigError(`${error.property} ${Object.values(error.constraints ?? {})[0]}`);
  if (config.isProduction) refuseWeakSecrets(config);
  return Object.freeze(config);
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

/** Every variable that the service reads. */
export const VARIABLES: readonly string[] = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'REDIS_URL',
  'DATA_DIR',
  'ADMIN_TOKEN',
  'SECRET_KEY',
  'METRICS_TOKEN',
  'PUBLIC_URL',
  'BOT_RATE_LIMIT',
  'VISITOR_RATE_LIMIT',
  'AGENT_RATE_LIMIT',
  'VISITOR_CONNECTION_LIMIT',
  'WRONG_TOKEN_LIMIT',
  'NEW_VISITOR_LIMIT',
  'ANONYMOUS_MESSAGES_PER_DAY',
  'ANONYMOUS_BYTES_PER_DAY',
  'ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY',
  'ANONYMOUS_ORGANIZATION_BYTES_PER_DAY',
  'ANONYMOUS_RETENTION_DAYS',
  'SOCKET_TRANSPORTS',
  'WEBHOOK_ALLOWED_HOSTS',
  'WEBHOOK_RETRY_SECONDS',
  'WEBHOOK_RETENTION_DAYS',
  'TRUST_PROXY',
  'LOG_LEVEL',
  'DEMO',
];

function pickKnown(set: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(set).filter(([name]) => VARIABLES.includes(name)));
}

function parseSeconds(text: string | undefined): readonly number[] | string {
  if (text === undefined) return RETRY_SECONDS;
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
