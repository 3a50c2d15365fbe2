import { type ConnectionKind, type EndpointKind, isEndpoint } from '../model/connection.js';
import { AguiDriver } from './agui/agui.js';
import { DifyDriver } from './dify.js';
import type { Driver } from './driver.js';
import { N8nDriver } from './n8n.js';
import { OpenAiDriver } from './openai.js';

export const DRIVERS: Record<EndpointKind, Driver> = {
  agui: new AguiDriver(),
  openai: new OpenAiDriver(),
  dify: new DifyDriver(),
  n8n: new N8nDriver(),
};

/** The answer to a call of a tool, in the endpoint's form. */
export function answerTo(kind: ConnectionKind, callId: string, result: Record<string, unknown>) {
  const answer = isEndpoint(kind) && DRIVERS[kind].answer?.(callId, result);
  if (!answer) throw new Error(`endpoints of kind ${kind} have no tools`);
  return answer;
}
