import type { Language } from '../../platform/locale/languages.js';

/** What the built-in script says. */
interface ScriptWords {
  begin: string;
  /** Choices. */
  question: string;
  problem: string;
  person: string;
  describe: string;
  handOver: string;
  /** If it doesn't understand. */
  miss: string;
}

export const WORDS: Record<Language, ScriptWords> = {
  ar: {
    begin: 'كيف يمكننا مساعدتك؟',
    question: 'لدي سؤال',
    problem: 'لدي مشكلة',
    person: 'التحدث إلى شخص',
    describe: 'يُرجى وصف الأمر في بضع جمل، وسيصل ذلك إلى فريقنا.',
    handOver: 'شكرًا لك. سأحوّلك الآن إلى فريقنا.',
    miss: 'عذرًا، لم أفهم ذلك. هل يمكنك اختيار أحد الخيارات أو كتابته بصيغة أخرى؟',
  },
  de: {
    begin: 'Worum geht es?',
    question: 'Ich habe eine Frage',
    problem: 'Ich habe ein Problem',
    person: 'Mit einem Menschen sprechen',
    describe: 'Bitte beschreiben Sie es in ein paar Sätzen. Unser Team liest es dann.',
    handOver: 'Vielen Dank. Ich verbinde Sie mit unserem Team.',
    miss: 'Das habe ich leider nicht verstanden. Können Sie eine Antwort auswählen oder es anders schreiben?',
  },
  en: {
    begin: 'What can we help you with?',
    question: 'I have a question',
    problem: 'I have a problem',
    person: 'Talk to a person',
    describe: 'Please describe it in a few sentences. Our team reads it then.',
    handOver: 'Thank you. I’m connecting you with our team.',
    miss: 'Sorry, I didn’t understand that. Can you choose an answer, or say it in other words?',
  },
  es: {
    begin: '¿En qué podemos ayudarle?',
    question: 'Tengo una pregunta',
    problem: 'Tengo un problema',
    person: 'Hablar con una persona',
    describe: 'Descríbalo en unas frases, por favor. Nuestro equipo lo leerá.',
    handOver: 'Gracias. Le pongo en contacto con nuestro equipo.',
    miss: 'Lo siento, no lo he entendido. ¿Puede elegir una respuesta o decirlo con otras palabras?',
  },
  fr: {
    begin: 'Comment pouvons-nous vous aider ?',
    question: 'J’ai une question',
    problem: 'J’ai un problème',
    person: 'Parler à une personne',
    describe: 'Merci de le décrire en quelques phrases. Notre équipe les lira.',
    handOver: 'Merci. Je vous mets en relation avec notre équipe.',
    miss: 'Désolé, je n’ai pas compris. Pouvez-vous choisir une réponse ou le dire autrement ?',
  },
  it: {
    begin: 'Come possiamo aiutarla?',
    question: 'Ho una domanda',
    problem: 'Ho un problema',
    person: 'Parlare con una persona',
    describe: 'Lo descriva in poche frasi, per favore. Il nostro team le leggerà.',
    handOver: 'Grazie. La metto in contatto con il nostro team.',
    miss: 'Mi dispiace, non ho capito. Può scegliere una risposta o dirlo con altre parole?',
  },
  ja: {
    begin: 'どのようなご用件でしょうか？',
    question: '質問があります',
    problem: '困っていることがあります',
    person: '担当者と話す',
    describe: '内容を数行でご記入ください。担当者が確認いたします。',
    handOver: 'ありがとうございます。担当者におつなぎします。',
    miss: '申し訳ありません、理解できませんでした。選択肢から選ぶか、別の言葉でお書きください。',
  },
  nl: {
    begin: 'Waarmee kunnen we u helpen?',
    question: 'Ik heb een vraag',
    problem: 'Ik heb een probleem',
    person: 'Met een mens praten',
    describe: 'Beschrijf het in een paar zinnen. Ons team leest het dan.',
    handOver: 'Dank u wel. Ik verbind u door met ons team.',
    miss: 'Sorry, dat heb ik niet begrepen. Kunt u een antwoord kiezen of het anders zeggen?',
  },
  pl: {
    begin: 'W czym możemy pomóc?',
    question: 'Mam pytanie',
    problem: 'Mam problem',
    person: 'Rozmowa z człowiekiem',
    describe: 'Proszę opisać to w kilku zdaniach. Nasz zespół je przeczyta.',
    handOver: 'Dziękuję. Łączę z naszym zespołem.',
    miss: 'Przepraszam, nie udało mi się tego zrozumieć. Proszę wybrać odpowiedź lub napisać to inaczej.',
  },
  pt: {
    begin: 'Como podemos ajudar?',
    question: 'Tenho uma pergunta',
    problem: 'Tenho um problema',
    person: 'Falar com uma pessoa',
    describe: 'Descreva em algumas frases, por favor. A nossa equipe vai ler.',
    handOver: 'Obrigado. Vou transferir você para a nossa equipe.',
    miss: 'Desculpe, não entendi. Você pode escolher uma resposta ou dizer com outras palavras?',
  },
  tr: {
    begin: 'Size nasıl yardımcı olabiliriz?',
    question: 'Bir sorum var',
    problem: 'Bir sorunum var',
    person: 'Bir insanla görüşmek istiyorum',
    describe: 'Lütfen birkaç cümleyle anlatın. Ekibimiz okuyacaktır.',
    handOver: 'Teşekkürler. Sizi ekibimize bağlıyorum.',
    miss: 'Üzgünüm, bunu anlayamadım. Bir yanıt seçebilir veya başka sözcüklerle yazabilir misiniz?',
  },
  zh: {
    begin: '请问有什么可以帮您？',
    question: '我有一个问题想咨询',
    problem: '我遇到了问题',
    person: '联系人工客服',
    describe: '请用几句话描述一下，我们的团队会查看。',
    handOver: '谢谢。正在为您转接我们的团队。',
    miss: '抱歉，我没有理解。您可以选择一个选项，或换一种说法吗？',
  },
  'zh-Hant': {
    begin: '請問有什麼可以為您服務的？',
    question: '我有問題想詢問',
    problem: '我遇到了問題',
    person: '聯絡真人客服',
    describe: '請用幾句話描述一下，我們的團隊會查看。',
    handOver: '謝謝。正在為您轉接我們的團隊。',
    miss: '抱歉，我沒有理解。您可以選擇一個選項，或換個說法嗎？',
  },
};
