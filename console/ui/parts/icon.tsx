import archive from 'lucide-static/icons/archive.svg?icon';
import at from 'lucide-static/icons/at-sign.svg?icon';
import transfer from 'lucide-static/icons/arrow-right-left.svg?icon';
import bell from 'lucide-static/icons/bell.svg?icon';
import bot from 'lucide-static/icons/bot.svg?icon';
import check from 'lucide-static/icons/check.svg?icon';
import down from 'lucide-static/icons/arrow-down.svg?icon';
import back from 'lucide-static/icons/arrow-left.svg?icon';
import alert from 'lucide-static/icons/circle-alert.svg?icon';
import done from 'lucide-static/icons/circle-check-big.svg?icon';
import copy from 'lucide-static/icons/copy.svg?icon';
import more from 'lucide-static/icons/ellipsis.svg?icon';
import out from 'lucide-static/icons/external-link.svg?icon';
import eye from 'lucide-static/icons/eye.svg?icon';
import chats from 'lucide-static/icons/messages-square.svg?icon';
import claim from 'lucide-static/icons/hand.svg?icon';
import waiting from 'lucide-static/icons/hourglass.svg?icon';
import image from 'lucide-static/icons/image.svg?icon';
import mine from 'lucide-static/icons/inbox.svg?icon';
import keys from 'lucide-static/icons/keyboard.svg?icon';
import exit from 'lucide-static/icons/log-out.svg?icon';
import menu from 'lucide-static/icons/menu.svg?icon';
import screen from 'lucide-static/icons/monitor.svg?icon';
import side from 'lucide-static/icons/panel-right.svg?icon';
import pause from 'lucide-static/icons/pause.svg?icon';
import reopen from 'lucide-static/icons/rotate-ccw.svg?icon';
import search from 'lucide-static/icons/search.svg?icon';
import send from 'lucide-static/icons/send-horizontal.svg?icon';
import note from 'lucide-static/icons/sticky-note.svg?icon';
import release from 'lucide-static/icons/undo-2.svg?icon';
import account from 'lucide-static/icons/circle-user-round.svg?icon';
import users from 'lucide-static/icons/users.svg?icon';
import thumbDown from 'lucide-static/icons/thumbs-down.svg?icon';
import thumbUp from 'lucide-static/icons/thumbs-up.svg?icon';
import snooze from 'lucide-static/icons/alarm-clock.svg?icon';
import sound from 'lucide-static/icons/volume-2.svg?icon';
import silent from 'lucide-static/icons/volume-x.svg?icon';
import offline from 'lucide-static/icons/wifi-off.svg?icon';
import close from 'lucide-static/icons/x.svg?icon';
import people from 'lucide-static/icons/contact.svg?icon';
import webhook from 'lucide-static/icons/webhook.svg?icon';
import quote from 'lucide-static/icons/message-square-quote.svg?icon';
import palette from 'lucide-static/icons/palette.svg?icon';
import find from 'lucide-static/icons/user-search.svg?icon';
import building from 'lucide-static/icons/building.svg?icon';
import log from 'lucide-static/icons/scroll-text.svg?icon';
import chart from 'lucide-static/icons/chart-column.svg?icon';
import star from 'lucide-static/icons/star.svg?icon';
import settings from 'lucide-static/icons/settings.svg?icon';
import plus from 'lucide-static/icons/plus.svg?icon';
import trash from 'lucide-static/icons/trash-2.svg?icon';
import refresh from 'lucide-static/icons/refresh-cw.svg?icon';
import download from 'lucide-static/icons/download.svg?icon';
import key from 'lucide-static/icons/key-round.svg?icon';
import play from 'lucide-static/icons/play.svg?icon';
import link from 'lucide-static/icons/link.svg?icon';
import { h } from 'preact';

const ICONS = {
  account,
  alert,
  archive,
  at,
  back,
  bell,
  bot,
  building,
  chart,
  chats,
  check,
  claim,
  close,
  copy,
  done,
  down,
  download,
  exit,
  eye,
  find,
  image,
  key,
  keys,
  link,
  log,
  menu,
  mine,
  more,
  note,
  offline,
  out,
  palette,
  pause,
  people,
  play,
  plus,
  quote,
  refresh,
  release,
  reopen,
  screen,
  search,
  send,
  settings,
  star,
  side,
  silent,
  snooze,
  sound,
  thumbDown,
  thumbUp,
  transfer,
  trash,
  users,
  waiting,
  webhook,
};

export type IconName = keyof typeof ICONS;

/** A decorative icon, as high as 1.25 lines of its text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      {ICONS[name].map(([element, attributes]) => h(element, attributes))}
    </svg>
  );
}
