import type { Words } from '../words.js';

/** The words in Spanish. */
export const es: Words = {
  testSubject: 'Correo de prueba de {name}',
  testText: 'Este correo muestra que Parley puede enviar correos para {name}.',
  invitationSubject: 'Su invitación a {name}',
  invitationText: 'Puede responder a los chats de {name}. Inicie sesión con este enlace:',
  invitationButton: 'Iniciar sesión',
  invitationEnd: 'El enlace funciona una vez, durante 72 horas.',
  resetSubject: 'Restablezca su contraseña de {name}',
  resetText: 'Alguien ha pedido una contraseña nueva para esta dirección en {name}. Elíjala con este enlace:',
  resetButton: 'Elegir contraseña',
  resetEnd: 'El enlace funciona una vez, durante una hora. Si no lo ha pedido, puede ignorar este correo.',
  chatSubject: 'Su chat con {name}',
  missedText: '{name} respondió mientras no estaba:',
  missedUnverified: 'Hay una respuesta en su chat con {name}. Abra el chat para leerla.',
  more: '… y {count} más',
  earlier: 'Antes',
  you: 'Usted',
  openChat: 'Abrir el chat',
  linkEnd: 'El enlace es válido durante 72 horas.',
  notYou: 'Si no ha escrito a {name}, abra el enlace y elija «No soy yo».',
  unsubscribe: 'Cancelar la suscripción',
  unsubscribeAsk: '¿No recibir más correos sobre respuestas perdidas de {name} en esta dirección?',
  unsubscribed: 'Ya no recibirá estos correos.',
};
