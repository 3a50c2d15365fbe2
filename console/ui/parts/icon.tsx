// `scripts/build-console.mjs` makes each from Lucide's icon of that name.
import archive from 'icon:archive';
import at from 'icon:at-sign';
import transfer from 'icon:arrow-right-left';
import bell from 'icon:bell';
import bot from 'icon:bot';
import check from 'icon:check';
import down from 'icon:arrow-down';
import back from 'icon:arrow-left';
import alert from 'icon:circle-alert';
import done from 'icon:circle-check-big';
import copy from 'icon:copy';
import more from 'icon:ellipsis';
import out from 'icon:external-link';
import eye from 'icon:eye';
import chats from 'icon:messages-square';
import claim from 'icon:hand';
import waiting from 'icon:hourglass';
import image from 'icon:image';
import mine from 'icon:inbox';
import keys from 'icon:keyboard';
import exit from 'icon:log-out';
import mail from 'icon:mail';
import menu from 'icon:menu';
import clip from 'icon:paperclip';
import screen from 'icon:monitor';
import side from 'icon:panel-right';
import pause from 'icon:pause';
import reopen from 'icon:rotate-ccw';
import search from 'icon:search';
import send from 'icon:send-horizontal';
import note from 'icon:sticky-note';
import release from 'icon:undo-2';
import account from 'icon:circle-user-round';
import users from 'icon:users';
import thumbDown from 'icon:thumbs-down';
import thumbUp from 'icon:thumbs-up';
import snooze from 'icon:alarm-clock';
import sound from 'icon:volume-2';
import silent from 'icon:volume-x';
import offline from 'icon:wifi-off';
import close from 'icon:x';
import people from 'icon:contact';
import webhook from 'icon:webhook';
import quote from 'icon:message-square-quote';
import palette from 'icon:palette';
import tag from 'icon:tag';
import find from 'icon:user-search';
import building from 'icon:building';
import log from 'icon:scroll-text';
import chart from 'icon:chart-column';
import star from 'icon:star';
import settings from 'icon:settings';
import plus from 'icon:plus';
import trash from 'icon:trash';
import refresh from 'icon:refresh-cw';
import download from 'icon:download';
import key from 'icon:key-round';
import play from 'icon:play';
import link from 'icon:link';
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
  clip,
  close,
  copy,
  done,
  down,
  download,
  exit,
  eye,
  tag,
  find,
  image,
  key,
  keys,
  link,
  log,
  mail,
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
