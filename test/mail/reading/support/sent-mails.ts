import { textOf } from '../../../../src/mail/letters/layout.js';
import type { Block, Letter } from '../../../../src/mail/letters/letter.js';
import { fill } from '../../../../src/mail/letters/letter.js';
import { wordsOf } from '../../../../src/mail/letters/languages.js';

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

const TOKEN = 'abcdefghijklmnopqrstuvwxyz';
export const ADDRESS = `support+${TOKEN}@acme.example`;
const LINK = `https://chat.acme.example/chat#prl_vln_${'Ab3'.repeat(14)}`;
const UNSUBSCRIBE = `https://chat.acme.example/api/mail/unsubscribe/${TOKEN}`;

/** What an agent, the bot, and the visitor before them wrote. */
const MESSAGES: Record<Language, [agent: string, bot: string, visitor: string]> = {
  en: [
    "Hello Ada, thanks for waiting. I've checked your order, and the parcel left our warehouse on Monday, so it should arrive by Friday at the latest.\nWhich color would you like for the second cushion?",
    'Here is what you can do:\n- Track the parcel at https://track.acme.example/p/4711\n- Change the delivery address until Wednesday, 6 pm',
    'Hi, where is my parcel? I ordered two cushions last week.',
  ],
  de: [
    'Hallo Ada, danke für die Geduld. Ich habe Ihre Bestellung geprüft: Das Paket hat unser Lager am Montag verlassen und sollte spätestens am Freitag bei Ihnen sein.\nWelche Farbe möchten Sie für das zweite Kissen?',
    'Das können Sie jetzt tun:\n- Verfolgen Sie das Paket unter https://track.acme.example/p/4711\n- Ändern Sie die Lieferadresse bis Mittwoch, 18 Uhr',
    'Hallo, wo ist mein Paket? Ich habe letzte Woche zwei Kissen bestellt.',
  ],
  fr: [
    "Bonjour Ada, merci de votre patience. J'ai vérifié votre commande : le colis a quitté notre entrepôt lundi et devrait arriver vendredi au plus tard.\nQuelle couleur souhaitez-vous pour le deuxième coussin ?",
    "Voici ce que vous pouvez faire :\n- Suivre le colis sur https://track.acme.example/p/4711\n- Changer l'adresse de livraison jusqu'à mercredi, 18 h",
    "Bonjour, où est mon colis ? J'ai commandé deux coussins la semaine dernière.",
  ],
  es: [
    'Hola, Ada, gracias por esperar. He revisado su pedido: el paquete salió de nuestro almacén el lunes y debería llegar el viernes a más tardar.\n¿Qué color desea para el segundo cojín?',
    'Esto es lo que puede hacer:\n- Seguir el paquete en https://track.acme.example/p/4711\n- Cambiar la dirección de entrega hasta el miércoles a las 18 h',
    'Hola, ¿dónde está mi paquete? Pedí dos cojines la semana pasada.',
  ],
  ja: [
    'Ada様、お待たせいたしました。ご注文を確認したところ、荷物は月曜日に倉庫を出ており、遅くとも金曜日までにはお届けできる予定です。\n二つ目のクッションは何色をご希望ですか。',
    '次のことができます。\n- https://track.acme.example/p/4711 で荷物を追跡する\n- 水曜日の18時までに配送先を変更する',
    'こんにちは。荷物はどこにありますか。先週クッションを二つ注文しました。',
  ],
};

/** A mail that we sent, before it was set as text or HTML. */
export function letterIn(language: Language): Letter {
  const words = wordsOf(language);
  const [agent, bot, visitor] = MESSAGES[language];
  const blocks: Block[] = [
    { type: 'text', text: fill(words.missedText, { name: 'Acme' }) },
    { type: 'message', sender: 'Anna Berg', text: agent, isEarlier: false },
    { type: 'message', sender: 'Acme Bot · AI', text: bot, isEarlier: false },
    { type: 'text', text: words.earlier },
    { type: 'message', sender: words.you, text: visitor, isEarlier: true },
  ];
  return {
    language,
    fromName: 'Acme',
    subject: fill(words.chatSubject, { name: 'Acme' }),
    blocks,
    button: { label: words.openChat, url: LINK },
    footer: [words.linkEnd],
    color: '#2457d6',
    colorText: '#ffffff',
    logoUrl: 'https://acme.example/logo.png',
    isAutomatic: false,
    unsubscribe: { label: words.unsubscribe, url: UNSUBSCRIBE },
    references: null,
  };
}

/** The plain texts of what was sent in a chat, as the database has them. */
export function sentIn(language: Language): string[] {
  return [textOf(letterIn(language))];
}
