/** What is said of an address where no mail is sent, in the widget's languages: before it's left, and after. */
export const WITHOUT_MAIL: Record<string, readonly [ask: string, kept: string]> = {
  ar: ['اترك بريدك الإلكتروني، وسيراه أحد أعضاء فريقنا', 'يرى أحد أعضاء فريقنا عنوانك {email}'],
  de: ['Hinterlassen Sie Ihre E-Mail-Adresse, unser Team sieht sie', 'Unser Team sieht Ihre Adresse {email}'],
  en: ['Leave your email address, and an agent sees it', 'An agent sees your address {email}'],
  es: ['Deje su correo electrónico y un agente lo verá', 'Un agente ve su dirección {email}'],
  fr: ['Laissez votre adresse e-mail, un conseiller la verra', 'Un conseiller voit votre adresse {email}'],
  it: ['Lascia il tuo indirizzo email, un operatore lo vedrà', 'Un operatore vede il tuo indirizzo {email}'],
  ja: ['メールアドレスを残すと、担当者が確認できます', '担当者があなたのアドレス {email} を確認できます'],
  nl: ['Laat uw e-mailadres achter, een medewerker ziet het', 'Een medewerker ziet uw adres {email}'],
  pl: ['Zostaw swój adres e-mail, konsultant go zobaczy', 'Konsultant widzi Twój adres {email}'],
  pt: ['Deixe seu e-mail, e um atendente o verá', 'Um atendente vê seu endereço {email}'],
  tr: ['E-posta adresinizi bırakın, bir temsilci görecek', 'Bir temsilci {email} adresinizi görüyor'],
  'zh-Hant': ['留下您的電子郵件，客服人員可以看到', '客服人員可以看到您的電子郵件 {email}'],
  zh: ['留下您的邮箱，客服可以看到', '客服可以看到您的邮箱 {email}'],
};

/** What the form before a chat says, in the widget's languages: beside a field that may stay empty, and on its button. */
export const FORM: Record<string, readonly [optional: string, start: string]> = {
  ar: ['اختياري', 'بدء المحادثة'],
  de: ['freiwillig', 'Chat beginnen'],
  en: ['optional', 'Start chat'],
  es: ['opcional', 'Iniciar chat'],
  fr: ['facultatif', 'Démarrer le chat'],
  it: ['facoltativo', 'Inizia la chat'],
  ja: ['任意', 'チャットを始める'],
  nl: ['optioneel', 'Chat starten'],
  pl: ['opcjonalnie', 'Rozpocznij czat'],
  pt: ['opcional', 'Iniciar chat'],
  tr: ['isteğe bağlı', 'Sohbeti başlat'],
  'zh-Hant': ['選填', '開始聊天'],
  zh: ['选填', '开始聊天'],
};
