/** What sending a chat by e-mail says, in the widget's languages: the button, that it's sent, and that it was sent too often. */
export const BY_MAIL: Record<string, readonly [send: string, sent: string, later: string]> = {
  ar: ['إرسال بالبريد الإلكتروني', 'المحادثة في طريقها إلى بريدك', 'أُرسلت عدة مرات. حاول بعد ساعة.'],
  de: [
    'Per E-Mail senden',
    'Der Chat ist auf dem Weg in Ihr Postfach',
    'Schon oft gesendet. Versuchen Sie es in einer Stunde.',
  ],
  en: ['Send by email', 'The chat is on its way to your inbox', 'Sent several times already. Try again in an hour.'],
  es: ['Enviar por correo', 'El chat va camino a su correo', 'Ya se envió varias veces. Inténtelo en una hora.'],
  fr: [
    'Envoyer par e-mail',
    'La conversation arrive dans votre boîte mail',
    'Déjà envoyée plusieurs fois. Réessayez dans une heure.',
  ],
  it: ['Invia per email', 'La chat sta arrivando nella tua casella', 'Già inviata più volte. Riprova tra un’ora.'],
  ja: ['メールで送る', 'チャットをメールで送信しました', '何度も送信されています。1時間後にお試しください。'],
  nl: [
    'Per e-mail sturen',
    'De chat is onderweg naar uw inbox',
    'Al vaak verstuurd. Probeer het over een uur opnieuw.',
  ],
  pl: ['Wyślij e-mailem', 'Czat jest w drodze do Twojej skrzynki', 'Wysłano już kilka razy. Spróbuj za godzinę.'],
  pt: ['Enviar por e-mail', 'O chat está a caminho do seu e-mail', 'Já enviado várias vezes. Tente em uma hora.'],
  tr: ['E-posta ile gönder', 'Sohbet gelen kutunuza gönderiliyor', 'Birkaç kez gönderildi. Bir saat sonra deneyin.'],
  'zh-Hant': ['以電子郵件寄送', '聊天記錄正寄往您的信箱', '已寄送多次，請一小時後再試。'],
  zh: ['通过邮件发送', '聊天记录正在发送到您的邮箱', '已多次发送，请一小时后再试。'],
};

/** What a visitor who unsubscribed from e-mails can do, and what it says then. */
export const AGAIN: Record<string, readonly [ask: string, done: string]> = {
  ar: ['استلام الرسائل الإلكترونية مجددًا', 'ستصلك رسائلنا الإلكترونية مجددًا'],
  de: ['Wieder E-Mails erhalten', 'Sie erhalten wieder E-Mails'],
  en: ['Get emails again', 'You get emails again'],
  es: ['Volver a recibir correos', 'Vuelve a recibir correos'],
  fr: ['Recevoir à nouveau les e-mails', 'Vous recevez à nouveau les e-mails'],
  it: ['Ricevi di nuovo le email', 'Riceverai di nuovo le email'],
  ja: ['メールの受信を再開する', 'メールの受信を再開しました'],
  nl: ['Weer e-mails ontvangen', 'U ontvangt weer e-mails'],
  pl: ['Znów otrzymuj e-maile', 'Znów będziesz otrzymywać e-maile'],
  pt: ['Voltar a receber e-mails', 'Você voltará a receber e-mails'],
  tr: ['Yeniden e-posta al', 'Yeniden e-posta alacaksınız'],
  'zh-Hant': ['重新接收電子郵件', '您將重新收到電子郵件'],
  zh: ['重新接收邮件', '您将重新收到邮件'],
};
