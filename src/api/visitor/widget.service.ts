import { Injectable } from '@nestjs/common';
import { checkOrigin } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import { type PicturePlace, readPicture } from '../../organizations/picture.js';
import { isOrigin } from '../../organizations/web-origin.js';
import { SetupService } from '../../organizations/setup.service.js';
import { answerIn, type PublicWidget, PublicWidgets, type WidgetAnswer } from '../../organizations/public-widgets.js';
import { WidgetPicturesService } from '../../organizations/widget-pictures.service.js';
import { notFound } from '../../platform/errors/problem.js';

/** What a page asks for. */
interface WidgetQuery {
  key: string;
  locale?: string;
  chosen?: string;
}

/** Who asks. */
interface Asker {
  origin: string | undefined;
  address: string;
}

interface PictureFile {
  type: string;
  content: Buffer;
}

/** The public settings of widgets. */
@Injectable()
export class WidgetService {
  constructor(
    private readonly widgets: PublicWidgets,
    private readonly pictures: WidgetPicturesService,
    private readonly queue: VisitorQueue,
    private readonly setup: SetupService,
  ) {}

  /** @throws Problem not_found for an unknown widget key; forbidden for an origin outside the allow-list */
  async get({ key, locale, chosen }: WidgetQuery, asker: Asker): Promise<WidgetAnswer> {
    const widget = await this.find(key, asker);
    const { origin } = asker;
    // The page doesn't wait for it. Pages of the service itself send no origin, a sandboxed one has none, and scripts send any text.
    if (isOrigin(origin)) void this.setup.markSeen(widget, origin);
    return answerIn(widget, locale, chosen === 'true');
  }

  /** @throws Problem not_found for an unknown key or name; forbidden for an origin outside the allow-list */
  async getPicture(key: string, name: string, asker: Asker): Promise<PictureFile> {
    const { organizationId, shown } = await this.find(key, asker);
    const { launcherPicture, botPicture } = shown;
    const place: PicturePlace =
      name === launcherPicture ? 'launcher' : name === botPicture ? 'bot' : notFound('Picture');
    const content = await this.queue.run(asker.address, () => this.pictures.read(organizationId, place, name));
    return content ? { type: readPicture(content)!.type, content } : notFound('Picture');
  }

  private async find(key: string, { origin, address }: Asker): Promise<PublicWidget> {
    const widget = this.widgets.find(key) ?? (await this.queue.run(address, () => this.widgets.get(key)));
    checkOrigin(widget.allowedOrigins, origin);
    return widget;
  }
}
