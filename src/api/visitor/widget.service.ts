import { Injectable } from '@nestjs/common';
import { checkOrigin } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import { SetupService } from '../../organizations/setup.service.js';
import { answerIn, PublicWidgets, type WidgetAnswer } from '../../organizations/public-widgets.js';

/** What a page asks for. */
interface WidgetQuery {
  key: string;
  locale?: string;
}

/** The public settings of widgets. */
@Injectable()
export class WidgetService {
  constructor(
    private readonly widgets: PublicWidgets,
    private readonly queue: VisitorQueue,
    private readonly setup: SetupService,
  ) {}

  /** @throws Problem not_found for an unknown widget key; forbidden for an origin outside the allow-list */
  async get(
    { key: widgetKey, locale }: WidgetQuery,
    origin: string | undefined,
    address: string,
  ): Promise<WidgetAnswer> {
    const widget = this.widgets.find(widgetKey) ?? (await this.queue.run(address, () => this.widgets.get(widgetKey)));
    checkOrigin(widget.allowedOrigins, origin);
    // The page doesn't wait for it. Pages of the service itself send no origin, and a sandboxed one has none.
    if (origin !== undefined && origin !== 'null') void this.setup.markSeen(widget, origin);
    return answerIn(widget, locale);
  }
}
