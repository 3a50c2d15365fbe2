import { Injectable } from '@nestjs/common';
import { type Attributes, differenceOf, isEmpty } from '../../attributes/attributes.js';
import { AttributesService } from '../../attributes/attributes.service.js';
import { socketContext } from '../../auth/context/request-context.js';
import { VisitorLimits } from '../../auth/limits/visitor-limits.js';
import { blocked } from '../../auth/visitors/blocked.js';
import { type VisitorProfile, VisitorsService } from '../../visitors/visitors.service.js';

/** Visitors whom the customer's server names in a signed identity (CONTRACT: Visitors). */
@Injectable()
export class SignedVisitors {
  constructor(
    private readonly visitors: VisitorsService,
    private readonly attributes: AttributesService,
    private readonly limits: VisitorLimits,
  ) {}

  /**
   * Stores what an identity says of a person, and returns the visitor's id. A block is checked before anything is stored: an identity names a
   * visitor on any device, without a token that is refused.
   * @param attributes undefined: they stay
   * @throws Problem blocked; rate_limited
   */
  async store(
    organizationId: string,
    sub: string,
    profile: VisitorProfile,
    attributes: Attributes | undefined,
  ): Promise<string> {
    const known = await this.visitors.findSigned(organizationId, sub, profile);
    if (known?.isBlocked) throw blocked();
    if (!known) return this.create(organizationId, sub, profile, attributes);
    const isKnown = attributes === undefined || isEmpty(differenceOf(known.verifiedAttributes, attributes));
    if (known.isSame && isKnown) return known.id;
    await this.limits.identityChanges.spend(known.id);
    if (!known.isSame) await this.visitors.create(organizationId, profile, sub);
    if (!isKnown) await this.replaceVerified(organizationId, known.id, attributes);
    return known.id;
  }

  private async create(
    organizationId: string,
    sub: string,
    profile: VisitorProfile,
    attributes: Attributes = {},
  ): Promise<string> {
    const { id, verifiedAttributes } = await this.visitors.createSigned(organizationId, profile, sub, attributes);
    if (!isEmpty(differenceOf(verifiedAttributes, attributes)))
      await this.replaceVerified(organizationId, id, attributes);
    return id;
  }

  private replaceVerified(organizationId: string, id: string, attributes: Attributes): Promise<void> {
    const actor = { type: 'VISITOR', id, name: null } as const;
    return this.attributes.replaceVerified(socketContext(organizationId, actor), id, attributes);
  }
}
