import type { Words } from '../words.js';

/** The words in Portuguese. */
export const pt: Words = {
  testSubject: 'E-mail de teste de {name}',
  testText: 'Este e-mail mostra que o Parley consegue enviar e-mails para {name}.',
  invitationSubject: 'O seu convite para {name}',
  invitationText: 'Pode responder aos chats de {name}. Inicie sessão com esta ligação:',
  invitationButton: 'Iniciar sessão',
  invitationEnd: 'A ligação funciona uma vez, durante 72 horas.',
  resetSubject: 'Nova palavra-passe para {name}',
  resetText: 'Foi pedida uma nova palavra-passe para este endereço em {name}. Escolha-a com esta ligação:',
  resetButton: 'Escolher palavra-passe',
  resetEnd: 'A ligação funciona uma vez, durante uma hora. Se não a pediu, ignore este e-mail.',
  chatSubject: 'O seu chat com {name}',
  missedText: '{name} respondeu enquanto esteve ausente:',
  missedUnverified: 'Há uma resposta no seu chat com {name}. Abra o chat para a ler.',
  more: '… e mais {count}',
  earlier: 'Antes disso',
  you: 'Você',
  openChat: 'Abrir o chat',
  linkEnd: 'A ligação é válida durante 72 horas.',
  notYou: 'Se não escreveu a {name}, abra a ligação e escolha «Não sou eu».',
  unsubscribe: 'Cancelar subscrição',
  unsubscribeAsk: 'Não receber mais e-mails sobre respostas perdidas de {name} neste endereço?',
  unsubscribed: 'Já não receberá estes e-mails.',
};
