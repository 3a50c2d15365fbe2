import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { DemoService } from '../src/demo/demo.service.js';
import { Parley } from './support/parley.js';

describe("the demo's session", () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ DEMO: '1', TRUST_PROXY: '1' });
    await parley.app.get(DemoService).prepare();
  });
  afterAll(() => parley.stop());

  /** The bot's token, as a request with this head is told it. */
  async function tokenFor(head: string[], version = '1.1'): Promise<unknown> {
    const socket = connect(Number(new URL(parley.url).port), '127.0.0.1');
    socket.write([`GET /demo/session HTTP/${version}`, 'Connection: close', ...head, '', ''].join('\r\n'));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return (JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as { botToken: unknown })
      .botToken;
  }

  it('tells the bot token to who is on this machine', async () => {
    expect(await tokenFor(['Host: localhost:3000'])).toMatch(/^prl_pat_/);
    expect(await tokenFor(['Host: [::1]:3000'])).toMatch(/^prl_pat_/);
  });

  it.each([
    ['a proxy that says for whom', ['Host: localhost', 'X-Forwarded-For: 192.0.2.1'], '1.1'],
    ['a proxy that says it otherwise', ['Host: localhost', 'X-Real-IP: 192.0.2.1'], '1.1'],
    ['a proxy that says nothing, as nginx', ['Host: localhost:3000'], '1.0'],
    ['a tunnel', ['Host: localhost:3000', 'CF-Connecting-IP: 192.0.2.1'], '1.1'],
    ['a page that had its name point here', ['Host: rebound.example:3000'], '1.1'],
    ['such a page that claims another name', ['Host: rebound.example:3000', 'X-Forwarded-Host: localhost'], '1.1'],
  ])('does not tell it to %s', async (_name, head, version) => {
    expect(await tokenFor(head, version)).toBeNull();
  });
});
