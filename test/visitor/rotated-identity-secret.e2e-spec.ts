import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Cli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('a rotated identity secret', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const rotate = async () => (await tenant.admin.post('/rotate-identity-secret', {}).expect(200)).body;
  const statusWith = async (identitySecret: string) => {
    const identity = await signIdentity({ identitySecret }, { sub: 'vera' });
    return (await parley.beginSession(tenant, { identity })).status;
  };

  it('the new and the previous secret are valid, and none before them', async () => {
    const first = tenant.identitySecret;
    const { identitySecret: second, previousExpiresAt } = await rotate();
    expect(second).toMatch(/^prl_ids_\w{40}$/);
    const hours = (Date.parse(previousExpiresAt) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect([await statusWith(first), await statusWith(second), await statusWith('wrong'.repeat(8))]).toEqual([
      201, 201, 401,
    ]);
    const { identitySecret: third } = await rotate();
    expect([await statusWith(first), await statusWith(second), await statusWith(third)]).toEqual([401, 201, 201]);
  });

  it('the previous secret ends with its time', async () => {
    const { identitySecret } = await rotate();
    await parley.query('UPDATE organizations SET previous_identity_secret_expires_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    expect([await statusWith(tenant.identitySecret), await statusWith(identitySecret)]).toEqual([401, 201]);
  });

  it('an administrator of the organization may rotate it, which the audit log records without the secret', async () => {
    const { token } = await parley.signInAgent(tenant, { role: 'ADMIN' });
    const stranger = await parley.createTenant();
    const rotateAs = (organization: string) =>
      new Client(`${parley.url}/api/admin/organizations`, token).post(`/${organization}/rotate-identity-secret`, {});
    const { body } = await rotateAs(tenant.id).expect(200);
    await rotateAs(stranger.id).expect(404);
    const { body: log } = await tenant.admin.get('/audit?action=organization.identity_secret_rotated').expect(200);
    expect(log.entries).toMatchObject([{ target: tenant.id, targetName: 'Acme', actor: { name: 'Ada' } }]);
    expect(JSON.stringify(log)).not.toContain(body.identitySecret);
  });

  it('the command line rotates it', async () => {
    const { identitySecret } = await Cli.of(parley).json('organization', 'rotate-identity-secret', tenant.id);
    expect(await statusWith(identitySecret)).toBe(201);
  });
});
