/** The most lines of a signature, the longest line that a program adds, and the sizes of a disclaimer. */
const MOST = { lines: 20, line: 160, disclaimer: 3_000 };
const LEAST_DISCLAIMER = 80;
const DELIMITER = /^(?:-- ?|—|--\u00a0)$/;
const PROGRAM =
  /\b(?:iphon\p{L}{0,4}|ipad\p{L}{0,4}|ipod|android|samsung|galaxy|huawei|xiaomi|redmi|pixel|oneplus|blackberry|outlook|yahoo|aol|gmx|web\.de|mail app|t-online|windows|thunderbird|proton ?mail|proton|spark|fairemail|k-9|bluemail|hotmail|icloud|smartphone|mobile|handy|mobiltelefon|telekom)\b|携帯|手[机機]/iu;
// Such as "Sent from my iPhone", in the order of the words of each language.
const SENT_FROM =
  /^\W{0,3}(?:sent (?:from|with|via|by|using)|(?:gesendet|verschickt|geschickt) (?:von|mit|über|vom)|envoyé (?:de|depuis|avec|à partir)|enviado (?:desde|con|do|de|a partir)|inviato (?:da|dal|con)|verzonden (?:vanaf|met|via)|wysłan[eo] (?:z|ze|przy)|skickat (?:från|med|via)|sendt (?:fra|med|via)|lähetetty .{1,60}st[aä]\W?$|odesl[aá]no (?:z|ze|přes)|odoslané (?:z|zo)|trimis (?:de pe|din|cu)|poslano (?:z|s|iz|sa)|отправлено (?:с|из|через)|надіслано (?:з|із|через)|изпратено от|στάλθηκε από|נשלח מ|أ\u064f?رسلت من|đã gửi từ|dikirim dari|发自|發自|来自我的|來自我的)/iu;
const FROM_SENT =
  /^\W{0,3}(?!.{0,160}\b(?:ich|wir|habe|hatte)\b)(?:diese (?:nachricht|e-?mail|mail) wurde )?(?:von|mit|über) .{0,80}(?:gesendet|verschickt|geschickt)|(?:から送信(?:しました|されました)?|(?:[dt][ae]n|ile) gönderildi|r[óő]l küldve|(?:从|使用).{1,20}发送|從.{1,20}傳送|에서 보냄|에서 보냈습니다)\W?$/iu;
// Such as "Get Outlook for Android", without its link.
const GET =
  /^\W{0,3}(?:get|holen sie|laden sie|télécharge[rz]?|obtenez|obten(?:ir|er|ga|ha)|ottieni|scarica|hämta|hent|hanki|pobierz|download|baixe|baixar|получит[ье]|скачать|загрузит[ье]|احصل على|获取|取得|使用).{0,30}(?:outlook|bluemail)(?: .{1,10} ?(?:android|ios|windows|mac))?\W?$|^\W{0,3}outlook für|outlook.{0,20}(?:を入手(?:する|してください)?|받기)$/iu;

// What the servers of companies add beneath every mail. It begins with "This e-mail" or "The information in …", and says that
// it's confidential, and whom it's for.
const OPENING =
  /^\W{0,6}(?:[\p{L} ]{3,30}[:：]\s?)?(?:(?:the|any) (?:information|content)|this|diese|der inhalt|die (?:informationen|in diese)|ce |cet|le (?:présent|contenu)|les informations|l['’]information|este |esta |el contenido|la información|o conteúdo|as? informaç|quest[aoe]|il contenuto|le informazioni|dit |deze |de (?:informatie|inhoud)|ta |ten |niniejsz|treść|это|данное|настоящее|bu |本|此|这|這|このメール|detta|denne|tämä|tato |tento |이 |هذ)/iu;
const MAIL =
  /e-?mail|mess?age|nachricht|mensaje|mensagem|messaggio|bericht|wiadomoś|сообщени|письмо|邮件|郵件|メール|ileti|posta/iu;
const CONFIDENTIAL =
  /confiden[ct]|vertraulich|vertrouwelijk|riservat|poufn|конфиденциал|机密|保密|機密|gizli|konfidentiell|fortrolig|luottamuksell|důvěrn|기밀|سري/iu;
const FOR_WHOM =
  /intended|addressee|recipient|bestimmt|empfänger|destina|bestemd|geadresseerde|adresat|odbiorc|адресат|получател|alıcı|收件人|受信者|宛先|mottagar|modtager|mottaker|vastaanottaj|adresát|příjemc|수신인|المرسل إليه/iu;

/** A visitor's own lines without the signature, and a company's disclaimer, at their end. */
export function withoutSignature(lines: readonly string[]): string[] {
  const delimiter = lines.findIndex((line, at) => DELIMITER.test(line) && lines.length - at <= MOST.lines);
  const kept = delimiter < 0 ? [...lines] : lines.slice(0, delimiter);
  while (kept.length > 0) {
    const last = kept.at(-1)!.trim();
    const added = last === '' || isOfProgram(last) ? 1 : disclaimerAtEnd(kept);
    if (added === 0) break;
    kept.length -= added;
  }
  return kept;
}

/** Whether a line is like "Sent from my iPhone": short, with a word for sending and a device or program. */
function isOfProgram(line: string): boolean {
  if (line.length > MOST.line || !PROGRAM.test(line)) return false;
  const text = line.replaceAll(/[<[(]?https?:[^\s<>[\]()]*[>\])]?/g, '').trim();
  return SENT_FROM.test(text) || FROM_SENT.test(text) || GET.test(text);
}

/** How many lines at the end are a disclaimer, which only a company's server writes. A paragraph with a question is the visitor's. */
function disclaimerAtEnd(lines: readonly string[]): number {
  let first = lines.length;
  let length = 0;
  while (first > 0 && lines[first - 1]!.trim() !== '' && length <= MOST.disclaimer) length += lines[--first]!.length;
  if (length < LEAST_DISCLAIMER || length > MOST.disclaimer) return 0;
  const text = lines.slice(first).join(' ');
  const isDisclaimer =
    !/[?？؟]/.test(text) && OPENING.test(text) && MAIL.test(text) && CONFIDENTIAL.test(text) && FOR_WHOM.test(text);
  return isDisclaimer ? lines.length - first : 0;
}
