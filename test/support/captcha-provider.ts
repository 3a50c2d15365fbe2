import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for a captcha's provider. It accepts `solved` with the right secret, once each. */
export class CaptchaProvider {
  readonly asked: { secret: string | null; response: string | null; names: string[] }[] = [];
  fault: 'hangs' | 'fails' | 'garbage' | null = null;
  private constructor(private readonly server: Server) {}

  static async start(): Promise<CaptchaProvider> {
    const server = createServer();
    const provider = new CaptchaProvider(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const form = new URLSearchParams(Buffer.concat(chunks).toString());
        const [secret, solved] = [form.get('secret'), form.get('response')];
        const isKnown = provider.asked.some((one) => one.response === solved);
        provider.asked.push({ secret, response: solved, names: [...form.keys()] });
        if (provider.fault === 'hangs') return;
        if (provider.fault === 'fails') return void response.writeHead(500).end();
        if (provider.fault === 'garbage') return void response.end('<html>');
        const success = secret === 'the-secret' && !!solved?.startsWith('solved') && !isKnown;
        response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/siteverify`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
