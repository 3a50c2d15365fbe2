import {
  createVisitorClient,
  type Observable,
  type VisitorClient,
  type VisitorClientOptions,
  type VisitorStorage,
} from 'parley/visitor';
import { PATIENCE } from './eventually.js';
import type { Tenant } from './parley.js';
import { Road } from './road.js';

/** Waits until the observable's value is as wanted. */
export function until<T>(observable: Observable<T>, holds: (value: T) => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error(`still ${JSON.stringify(observable.value)?.slice(0, 500)}`));
    }, PATIENCE);
    let end = (): void => undefined;
    end = observable.subscribe((value) => {
      if (!holds(value)) return;
      clearTimeout(timer);
      queueMicrotask(() => end());
      resolve(value);
    });
  });
}

/** A browser's storage that ends with the test. */
export function memory(): VisitorStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** Clients of one tenant's visitors on a connection that can be cut. */
export class ClientsOnRoad {
  private readonly clients: VisitorClient[] = [];

  private constructor(
    readonly road: Road,
    private readonly tenant: Tenant,
  ) {}

  static async to(url: string, tenant: Tenant): Promise<ClientsOnRoad> {
    return new ClientsOnRoad(await Road.to(url), tenant);
  }

  connect(options: Partial<VisitorClientOptions> = {}): VisitorClient {
    const { widgetKey } = this.tenant;
    const client = createVisitorClient({ url: this.road.url, widgetKey, storage: memory(), ...options });
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.road.close();
  }
}

export function contents(client: VisitorClient): string[] {
  return client.messages.value.map(({ content }) => content);
}
