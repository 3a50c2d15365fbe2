/** Finds the texts of a DNS name; none if the name has none. @throws Error if the DNS doesn't answer */
export type TextLookup = (name: string) => Promise<string[]>;

const POLICIES = ['none', 'quarantine', 'reject'] as const;
type Policy = (typeof POLICIES)[number];

/** What a domain wants done with mails that aren't aligned (RFC 9989). */
export interface DmarcPolicy {
  /** The domain that publishes it. */
  domain: string;
  /** What it amounts to: one level lower while the domain tests it. */
  policy: Policy;
  /** Whether SPF must pass for exactly this domain. */
  isSpfStrict: boolean;
  isDkimStrict: boolean;
}

type DmarcRecord = Map<string, string>;

interface Step {
  domain: string;
  record: DmarcRecord;
}

/** The most labels of a name that's asked for after the first one, so that a name costs at most 8 queries. */
const MAX_LABELS = 7;

/** Reads the DMARC records of domains, each once. */
export class Dmarc {
  private readonly records = new Map<string, Promise<DmarcRecord | null>>();

  constructor(private readonly lookup: TextLookup) {}

  /** The policy for mails from a domain; null if there's none. @throws Error if the DNS doesn't answer */
  async findPolicy(domain: string): Promise<DmarcPolicy | null> {
    const steps = await this.walk(domain);
    const own = steps.find((step) => step.domain === domain);
    const organization = organizationOf(domain, steps);
    const step = own ?? steps.find((one) => one.domain === organization) ?? steps.at(-1);
    if (!step) return null;
    const { record } = step;
    const wanted = own ? record.get('p') : (record.get('sp') ?? record.get('p'));
    const level = Math.max(0, POLICIES.indexOf(wanted?.toLowerCase() as Policy));
    const isTest = record.get('t')?.toLowerCase() === 'y';
    return {
      domain: step.domain,
      policy: POLICIES[isTest ? Math.max(0, level - 1) : level]!,
      isSpfStrict: record.get('aspf')?.toLowerCase() === 's',
      isDkimStrict: record.get('adkim')?.toLowerCase() === 's',
    };
  }

  /** Whether a domain that passed SPF or DKIM counts for mails from another. @throws Error if the DNS doesn't answer */
  async isAligned(passed: string, from: string, isStrict: boolean): Promise<boolean> {
    if (passed === from) return true;
    if (isStrict) return false;
    const [one, other] = await Promise.all([passed, from].map((domain) => this.findOrganization(domain)));
    return one === other;
  }

  private async findOrganization(domain: string): Promise<string> {
    return organizationOf(domain, await this.walk(domain));
  }

  /** The domains with a record, from this one up to the root. */
  private async walk(start: string): Promise<Step[]> {
    const found: Step[] = [];
    for (const domain of namesAbove(start)) {
      const record = await this.read(domain);
      if (record === null) continue;
      found.push({ domain, record });
      const psd = record.get('psd')?.toLowerCase();
      if (psd === 'n' || (psd === 'y' && domain !== start)) break;
    }
    return found;
  }

  private read(domain: string): Promise<DmarcRecord | null> {
    const known = this.records.get(domain) ?? this.lookup(`_dmarc.${domain}`).then(recordIn);
    this.records.set(domain, known);
    return known;
  }
}

/** A domain, and those above it that a walk asks. */
function namesAbove(domain: string): string[] {
  const labels = domain.split('.');
  const most = Math.min(labels.length - 1, MAX_LABELS);
  return [domain, ...Array.from({ length: most }, (_, index) => labels.slice(index - most).join('.'))];
}

/** The domain of the organization that a domain belongs to. @param steps of a walk from that domain */
function organizationOf(start: string, steps: readonly Step[]): string {
  const last = steps.at(-1);
  if (!last) return start;
  if (last.record.get('psd')?.toLowerCase() !== 'y' || last.domain === start) return last.domain;
  const below = start.split('.').length - last.domain.split('.').length - 1;
  return start.split('.').slice(below).join('.');
}

/** The record among a name's texts; null if there's none, or more than one. */
function recordIn(texts: readonly string[]): DmarcRecord | null {
  const records = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
  return records.length === 1 ? tagsOf(records[0]!) : null;
}

/** The tags of a record of DMARC or DKIM, such as `v=DMARC1; p=reject`. */
export function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0) tags.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  return tags;
}
