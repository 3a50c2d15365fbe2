export interface Emoji {
  emoji: string;
  /** In English and German. */
  names: readonly [english: string, german: string];
}

/** In small letters, without accents. This file imports nothing: that would divide the files of the first load. */
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The longest list. */
const MAX_SHOWN = 8;

// The emoji that messages to customers use, with a name in English and in German.
const LIST = `
😀|grinning|grinsen
😃|smiley|lachendes Gesicht
😄|smile|lächeln
😁|beaming grin|strahlen
😆|laughing|lachen
😅|sweat smile|erleichtert schwitzen
🤣|rofl, rolling laughing|kugeln vor Lachen
😂|joy, tears of joy|Freudentränen
🙂|slight smile|leichtes Lächeln
🙃|upside down|auf dem Kopf
😉|wink|zwinkern
😊|blush, happy|erröten, glücklich
😇|angel, innocent|Engel, unschuldig
🥰|in love, hearts|verliebt
😍|heart eyes|Herzaugen
🤩|star struck|begeistert, Sternaugen
😘|kiss|Kuss
😋|yum, delicious|lecker
😛|tongue|Zunge
😜|crazy wink|verrückt zwinkern
🤗|hug|umarmen
🤭|oops, giggle|huch, kichern
🤫|shush, quiet|leise, psst
🤔|thinking|nachdenken
🤐|zipper mouth|Mund zu
😐|neutral|neutral
😑|expressionless|ausdruckslos
😶|no mouth, speechless|sprachlos
😏|smirk|schmunzeln
😒|unamused|genervt
🙄|eye roll|Augen verdrehen
😬|grimace|Grimasse
😌|relieved|erleichtert
😔|pensive, sad|bedrückt
😴|sleeping|schlafen
😷|mask, ill|Maske, krank
🤒|thermometer, fever|Fieber
🤕|hurt, bandage|verletzt
🤯|mind blown|Kopf explodiert
🥳|partying|feiern
😎|cool, sunglasses|cool, Sonnenbrille
🤓|nerd|Streber
🧐|monocle, inspecting|Monokel, prüfen
😕|confused|verwirrt
😟|worried|besorgt
🙁|frown|traurig schauen
😮|open mouth, wow|erstaunt
😲|astonished|verblüfft
😳|flushed|errötet
🥺|pleading|flehen, bitte bitte
😨|fearful|ängstlich
😰|anxious|angespannt
😥|sad relieved|traurig erleichtert
😢|cry|weinen
😭|sob|heulen
😱|scream|schreien
😖|confounded|verzweifelt
😞|disappointed|enttäuscht
😓|sweat|Schweiß
😩|weary|erschöpft
😫|tired|müde
🥱|yawn|gähnen
😤|huffing, triumph|schnauben
😡|angry red|wütend
😠|angry|ärgerlich
🤬|cursing|fluchen
💀|skull|Totenkopf
🤖|robot, bot|Roboter
👋|wave, hello, hi|winken, hallo
🤚|raised back of hand|Handrücken
✋|raised hand, stop|Hand, stopp
👌|ok hand|okay
🤏|pinch, a little|ein bisschen
✌️|victory, peace|Frieden, Sieg
🤞|fingers crossed|Daumen drücken
🤙|call me|ruf mich an
👈|point left|nach links
👉|point right|nach rechts
👆|point up|nach oben
👇|point down|nach unten
☝️|index up|Zeigefinger
👍|thumbs up, +1, like|Daumen hoch, +1
👎|thumbs down, -1|Daumen runter, -1
✊|fist|Faust
👊|fist bump|Faustcheck
👏|clap, applause|klatschen, Applaus
🙌|raised hands, hooray|hurra, Hände hoch
👐|open hands|offene Hände
🤝|handshake, deal|Handschlag, abgemacht
🙏|pray, please, thanks|bitte, danke
✍️|writing|schreiben
💪|muscle, strong|stark, Muskel
👀|eyes, looking|Augen, schauen
🧠|brain|Gehirn
🙋|raising hand, question|melden, Frage
🤷|shrug|Schulterzucken
🤦|facepalm|Hand vor den Kopf
💁|tipping hand, info|Auskunft
🙇|bow|verbeugen
👩‍💻|technologist, developer|Entwicklerin
🕵️|detective|Detektiv
👮|police|Polizei
👷|worker, construction|Bauarbeiter
👶|baby|Baby
👪|family|Familie
❤️|heart, red heart|Herz, rotes Herz
🧡|orange heart|oranges Herz
💛|yellow heart|gelbes Herz
💚|green heart|grünes Herz
💙|blue heart|blaues Herz
💜|purple heart|lila Herz
🖤|black heart|schwarzes Herz
💔|broken heart|gebrochenes Herz
💯|hundred|hundert
💥|boom, collision|Knall
💫|dizzy|schwindelig
💬|speech balloon, chat|Sprechblase, Chat
💭|thought balloon|Gedankenblase
💤|zzz|schnarchen
🐶|dog|Hund
🐱|cat|Katze
🐭|mouse|Maus
🐰|rabbit|Hase
🦊|fox|Fuchs
🐻|bear|Bär
🐼|panda|Panda
🦁|lion|Löwe
🐸|frog|Frosch
🐵|monkey|Affe
🙈|see no evil|nichts sehen
🐔|chicken|Huhn
🐧|penguin|Pinguin
🦆|duck|Ente
🦉|owl|Eule
🐝|bee|Biene
🐛|bug|Käfer, Raupe
🦋|butterfly|Schmetterling
🐢|turtle|Schildkröte
🐍|snake|Schlange
🐟|fish|Fisch
🐳|whale|Wal
💐|bouquet, flowers|Blumenstrauß
🌹|rose|Rose
🌻|sunflower|Sonnenblume
🌱|seedling|Keimling
🌳|tree|Baum
🍀|clover, luck|Kleeblatt, Glück
🍁|maple leaf|Ahornblatt
🌍|world, earth|Welt, Erde
🌙|moon|Mond
⭐|star|Stern
🌟|glowing star|leuchtender Stern
✨|sparkles|Funken
⚡|zap, lightning|Blitz
🔥|fire|Feuer
🌈|rainbow|Regenbogen
☀️|sun|Sonne
⛅|partly cloudy|bewölkt
☁️|cloud|Wolke
🌧️|rain|Regen
❄️|snowflake|Schneeflocke
☂️|umbrella|Regenschirm
🍎|apple|Apfel
🍌|banana|Banane
🍓|strawberry|Erdbeere
🍞|bread|Brot
🧀|cheese|Käse
🍕|pizza|Pizza
🍔|burger|Burger
🍟|fries|Pommes
🍰|cake|Torte
🎂|birthday|Geburtstag
🍪|cookie|Keks
🍫|chocolate|Schokolade
☕|coffee|Kaffee
🍵|tea|Tee
🍺|beer|Bier
🥂|cheers|anstoßen
🍷|wine|Wein
🚗|car|Auto
🚕|taxi|Taxi
🚌|bus|Bus
🚚|truck, delivery|Lieferwagen, Lieferung
🚲|bike|Fahrrad
🚆|train|Zug
✈️|plane, flight|Flugzeug, Flug
🚀|rocket|Rakete
🚢|ship|Schiff
🏠|house, home|Haus
🏢|office|Büro
🏥|hospital|Krankenhaus
🏦|bank|Bank
🏨|hotel|Hotel
🏫|school|Schule
🏖️|beach, holiday|Strand, Urlaub
⏰|alarm clock|Wecker
⏳|hourglass, waiting|Sanduhr, warten
⌛|hourglass done|abgelaufen
📅|calendar, date|Kalender, Termin
🎉|tada, party|Konfetti, Feier
🎈|balloon|Luftballon
🎁|gift, present|Geschenk
🎄|christmas tree|Weihnachtsbaum
🎃|halloween, pumpkin|Kürbis
🏆|trophy|Pokal
🥇|gold medal, first|Goldmedaille
⚽|soccer, football|Fußball
🎮|game|Spiel
🎵|music|Musik
🎬|film|Film
📷|camera|Kamera
💻|laptop|Laptop
🖥️|computer|Computer, Bildschirm
🖨️|printer|Drucker
⌨️|keyboard|Tastatur
📱|phone, mobile|Handy
☎️|telephone, call|Telefon, Anruf
🔋|battery|Akku
🔌|plug|Stecker
💡|idea, bulb|Idee, Glühbirne
🔍|search, magnifier|Suche, Lupe
🔒|locked|Schloss, gesperrt
🔓|unlocked|entsperrt
🔑|key|Schlüssel
🔧|wrench, repair|Schraubenschlüssel, Reparatur
🔨|hammer|Hammer
⚙️|gear, settings|Zahnrad, Einstellungen
🔗|link|Link, Kette
📎|paperclip, attachment|Büroklammer, Anhang
✂️|scissors|Schere
🗑️|trash|Papierkorb
📦|package, parcel|Paket
📬|mailbox|Briefkasten
✉️|envelope, mail|Brief, Umschlag
📧|e-mail, email|E-Mail
📝|memo, note|Notiz
📄|document, page|Dokument, Seite
📁|folder|Ordner
📊|bar chart|Diagramm
📈|chart up|steigend
📉|chart down|fallend
📌|pin|Pinnnadel
📣|megaphone|Megafon
🔔|bell|Glocke
🛒|shopping cart|Einkaufswagen
🏷️|label, price tag|Etikett, Preis
💳|credit card, payment|Kreditkarte, Zahlung
💰|money bag|Geldsack
💶|euro|Euro
💵|dollar|Dollar
🧾|receipt, invoice|Beleg, Rechnung
🛡️|shield, security|Schild, Sicherheit
✅|check, done|Häkchen, erledigt
☑️|checkbox|angekreuzt
❌|cross, no|Kreuz, nein
❓|question mark|Fragezeichen
❗|exclamation mark|Ausrufezeichen
⚠️|warning|Warnung, Achtung
🚫|forbidden|verboten
⛔|no entry|kein Zutritt
🆗|ok button|ok
🆕|new|neu
🆘|sos, help|Hilfe
ℹ️|information|Information
🔴|red circle|roter Kreis
🟡|yellow circle|gelber Kreis
🟢|green circle|grüner Kreis
🔵|blue circle|blauer Kreis
➡️|right arrow|Pfeil rechts
⬅️|left arrow|Pfeil links
⬆️|up arrow|Pfeil hoch
⬇️|down arrow|Pfeil runter
🔄|refresh, reload|neu laden
♻️|recycle|Recycling
➕|plus|plus
➖|minus|minus
🏁|finish flag|Zielflagge
🚩|red flag|rote Flagge
🇪🇺|european union|Europäische Union
🇩🇪|germany|Deutschland
🇦🇹|austria|Österreich
🇨🇭|switzerland|Schweiz
🇬🇧|united kingdom|Vereinigtes Königreich
🇺🇸|united states|Vereinigte Staaten`;

const ALL = LIST.trim()
  .split('\n')
  .map((line) => {
    const [emoji = '', english = '', german = ''] = line.split('|');
    // Folded, with and without the blanks: `:thumbs_up` and `:thumbsup` are one name.
    const names = [english, german].flatMap((one) => fold(one).split(', '));
    return {
      emoji,
      names: [english, german] as const,
      searched: names.map((name) => name.replaceAll(' ', '')),
      words: names,
    };
  });

/** The emoji whose English or German name, or a word in it, begins as typed. Whole names come first. */
export function findEmoji(typed: string): Emoji[] {
  const wanted = fold(typed).replaceAll('_', '');
  const rank = ({ searched, words }: (typeof ALL)[number]): number => {
    if (searched.includes(wanted)) return 0;
    if (searched.some((name) => name.startsWith(wanted))) return 1;
    return words.some((name) => name.split(' ').some((word) => word.startsWith(wanted))) ? 2 : 3;
  };
  return ALL.map((one) => ({ one, at: rank(one) }))
    .filter(({ at }) => at < 3)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_SHOWN)
    .map(({ one }) => one);
}
