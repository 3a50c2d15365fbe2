import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { usage } from '../errors.js';
import type { Message } from './judge.js';

/** What a visitor says, and what is expected of the bot then. */
export interface SayStep {
  say: string;
  /** One entry for each message of the answer: a text that it contains, or a pattern. */
  expect: (string | RegExp)[];
  /** Whether the bot hands the chat over. */
  handOver: boolean;
}

/** The bots get the chat back. */
export interface ReturnStep {
  return: true;
}

export type Step = SayStep | ReturnStep;

/** Reads a script: a list of steps in YAML. @throws CliError that names the step */
export async function readScript(path: string): Promise<Step[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw usage(`--script: ${(error as Error).message}`);
  });
  return parseScript(path, text);
}

export function parseScript(path: string, text: string): Step[] {
  let steps: unknown;
  try {
    steps = parse(text);
  } catch (error) {
    throw usage(`${path}: ${(error as Error).message}`);
  }
  if (!Array.isArray(steps) || steps.length === 0)
    throw usage(`${path} must be a list of steps, such as "- say: hello"`);
  return steps.map((step, index) => {
    const fault = faultOf(step);
    if (fault !== null) throw usage(`${path}, step ${index + 1}: ${fault}`);
    return toStep(step as GivenStep);
  });
}

interface GivenStep {
  say?: string;
  expect?: string | string[];
  handOver?: boolean;
  return?: true;
}

const FIELDS = ['say', 'expect', 'handOver', 'return'];

function faultOf(step: unknown): string | null {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) return 'must have "say" or "return"';
  const { say, expect, handOver, return: back, ...others } = step as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `"${unknown}" is unknown: there are ${FIELDS.join(', ')}`;
  if (back !== undefined) return back === true && Object.keys(step).length === 1 ? null : '"return: true" stands alone';
  if (typeof say !== 'string' || say === '') return '"say" must be a text';
  if (handOver !== undefined && typeof handOver !== 'boolean') return '"handOver" must be true or false';
  const texts = [expect ?? []].flat() as unknown[];
  const wrong = texts.find((one) => typeof one !== 'string' || one === '');
  if (wrong !== undefined) return '"expect" must be a text, or a list of texts';
  return patternFaultOf(texts as string[]);
}

function patternFaultOf(texts: readonly string[]): string | null {
  try {
    texts.forEach(toPattern);
    return null;
  } catch (error) {
    return `"expect": ${(error as Error).message}`;
  }
}

function toStep({ say = '', expect = [], handOver = false, return: back }: GivenStep): Step {
  if (back) return { return: true };
  const texts = [expect].flat();
  return { say, expect: texts.map(toPattern), handOver };
}

/** `/text/i` is a pattern. */
function toPattern(text: string): string | RegExp {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  return source === undefined ? text : new RegExp(source, flags);
}

/** How many messages the bot answers with; without expectations any one, and none if it only hands the chat over. */
export function answersOf({ expect, handOver }: SayStep): number {
  return expect.length > 0 || handOver ? expect.length : 1;
}

/** How the bot's reaction differs from the step; null: it doesn't. */
export function differenceOf(
  { expect, handOver }: SayStep,
  answers: readonly Message[],
  isHandedOver: boolean,
): string | null {
  if (handOver && !isHandedOver) return 'did not lead to a hand-over';
  if (!handOver && isHandedOver) return 'led to a hand-over';
  const index = expect.findIndex((wanted, place) => !fits(wanted, answers[place]?.content));
  if (index === -1) return null;
  const got = answers[index]?.content;
  return `was answered with ${got === undefined ? 'nothing' : JSON.stringify(got)} instead of ${String(expect[index])}`;
}

function fits(wanted: string | RegExp, got: string | undefined): boolean {
  if (got === undefined) return false;
  return typeof wanted === 'string'
    ? got.includes(wanted)
    : new RegExp(wanted.source, wanted.flags.replace('g', '')).test(got);
}
