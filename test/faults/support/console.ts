import type { Browser, CDPSession } from 'playwright-core';
import { Desk, makeAgent } from '../../browser/support/desk.js';
import { Visit } from '../../browser/support/visit.js';
import { Client } from '../../support/client.js';
import type { Tenant } from '../../support/tenant.js';

/** An agent of the default group with the console open at this address. */
export async function openConsole(browser: Browser, url: string, tenant: Tenant): Promise<Desk> {
  const agent = await makeAgent({ tenant });
  const { body: link } = await tenant.admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
  return Desk.enter(await Visit.to(browser, `${url}/console/link${new URL(link.url as string).hash}`), agent);
}

/** The agent API with one more session of an agent. */
export async function signInAgain(url: string, { admin }: Tenant, agentId: string): Promise<Client> {
  const { body: link } = await admin.post(`/agents/${agentId}/sign-in-links`, {}).expect(201);
  const body = { token: new URL(link.url as string).hash.slice(1), mode: 'token' };
  const { body: session } = await new Client(`${url}/api/agent`).post('/session/link', body).expect(201);
  return new Client(`${url}/api/agent`, session.token as string);
}

/** A page's memory after all garbage is collected. */
export interface Footprint {
  heapBytes: number;
  /** Nodes of the document, including detached ones that are still referenced. */
  nodes: number;
  listeners: number;
}

export async function measureFootprint(session: CDPSession): Promise<Footprint> {
  await session.send('Performance.enable');
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
