import request, { type Test } from 'supertest';

/** Sends JSON to one API of the service with one token. */
export class Client {
  constructor(
    private readonly base: string,
    private readonly token?: string,
  ) {}

  get(path: string): Test {
    return this.with(request(this.base).get(path));
  }

  post(path: string, body?: string | object): Test {
    return this.with(request(this.base).post(path)).send(body);
  }

  put(path: string, body?: string | object): Test {
    return this.with(request(this.base).put(path)).send(body);
  }

  patch(path: string, body?: string | object): Test {
    return this.with(request(this.base).patch(path)).send(body);
  }

  delete(path: string): Test {
    return this.with(request(this.base).delete(path));
  }

  below(path: string): Client {
    return new Client(this.base + path, this.token);
  }

  private with(test: Test): Test {
    return this.token === undefined ? test : test.set('Authorization', `Bearer ${this.token}`);
  }
}
