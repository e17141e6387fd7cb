import { describe, expect, it } from 'vitest';
import { asksForSecret, holdsSecret } from './secrets.js';

describe('a secret', () => {
  it.each([
    'My card number is 4111 1111 1111 1111.',
    'four one one one one one one one one one one one one one one one',
    'you can take it from four triple one double one double one double one double one double one double one',
    'My password is hunter2goose.',
    'pwd is 4533',
    'my passcode is 998877',
    'My PIN is 4821',
    'my pin is four eight two one',
    'My CVV is 912.',
    'the three digits on the back are nine one two',
    'My API key is sk-abc123def456ghi789jkl012.',
    'I got the code 553201 by text',
    'My social security number is 078-05-1120.',
    'my social is 123 45 6789',
    'the last four of my social is 4410',
    'Pay to DE89 3704 0044 0532 0130 00',
    "my mother's maiden name is Kowalczyk",
    'mi contraseña es girasol',
    'mi clave es cuatro ocho dos uno',
    'meine Geheimzahl ist acht drei null zwei',
    'mein Passwort lautet Sonnenblume',
    'mon mot de passe est tournesol',
    'minha senha é girassol',
    'Mật khẩu của mình là abc123',
    'mã pin của tôi là bốn tám hai một',
    '我的密码是三三八二',
    '验证码：482133',
    'sunflower is my password',
    'The password that I always use is sunflower.',
    'The password for the app and the shop is sunflower.',
    "you want the password? it's sunflower",
    '¿la contraseña? es girasol',
    'my TAN is 482133',
    'my password is still sunflower',
    'die TAN ist acht drei null zwei',
    'The PIN since 4 May 2026 is 4821.',
  ])('is in %s', (text) => {
    expect(holdsSecret(text)).toBe(true);
  });

  it.each([
    'My order number is 48213.',
    'User forgot their password.',
    'I lost my credit card',
    'My phone number is +84 912 345 678.',
    'it is zero nine one two three four five six seven eight',
    'I was born on 14 July 1990.',
    'Order 4111 1111 1111 1112 arrived.',
    'my zip code is 90210',
    'postcode 10115',
    'the booking code is 448213',
    'zip code: 90210',
    'I have been very social lately',
    'Olvidé mi contraseña',
    'Ich habe mein Passwort vergessen',
    'Tôi quên mật khẩu rồi',
    '我忘记密码了',
    'my policy number is n g four four seven',
    'User forgot the password of the shop and was locked out.',
    'The agent sent a link to reset the password, which works for a day.',
    'User asked for a new PIN because the old one was blocked.',
    'The password is not accepted since the last update.',
    'The security question is no longer needed.',
    'The access token was revoked on 4 May 2026.',
    'Das Passwort ist seit dem 4. Mai 2026 gesperrt.',
    'La contraseña es correcta, pero la aplicación no abre.',
    'The sofa is tan.',
  ])('is not in %s', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });
});

describe('a question that asks for a secret', () => {
  it.each([
    'What is your PIN?',
    'And the last four of your social?',
    'Please read out the final four of your SSN.',
    'Could you read me the number on the front of your card number?',
    'What is the card number?',
    'Please tell me the security code.',
    'What is your password, please?',
    "What's the answer to your security question?",
    'What is the one-time code we just sent you?',
    "What is your mother's maiden name?",
    '¿Cuál es su contraseña?',
    '¿Me dice el número de su tarjeta?',
    'Wie lautet Ihre Geheimzahl?',
    'Wie lautet Ihre Kartennummer?',
    'Quel est votre mot de passe ?',
    'Qual é a sua senha?',
    'Anh cho em xin mã OTP ạ?',
    'Số thẻ của chị là gì?',
    '请问您的密码是什么？',
    '请提供验证码',
    'And what was the name of your first pet?',
    '¿Cómo se llamaba su primera mascota?',
    'Wie hieß Ihr erstes Haustier?',
    'For security, which city were you born in?',
    'To verify your identity, what did you have for your wedding dinner?',
    'Por seguridad, ¿en qué ciudad nació?',
    'Aus Sicherheitsgründen: In welcher Stadt wurden Sie geboren?',
    'Pour des raisons de sécurité, dans quelle ville êtes-vous né ?',
    'Por segurança, em que cidade nasceu?',
    'Để xác minh, anh sinh ra ở thành phố nào ạ?',
    '为了核实身份，请问您的小学叫什么？',
  ])('is %s', (question) => {
    expect(asksForSecret(question)).toBe(true);
  });

  it.each([
    'What is your policy number?',
    'What is your phone number?',
    'For security, may I have your full name?',
    'For verification, what is your date of birth?',
    'For security reasons the doors close at nine.',
    'Aus Sicherheitsgründen: Wie lautet Ihre Kundennummer?',
    'Which card would you like to order, gold or silver?',
    'Could you give me your account number?',
    '¿Cuál es su número de póliza?',
    'Wie lautet Ihre Kundennummer?',
    '请问您的电话号码是多少？',
  ])('is not %s', (question) => {
    expect(asksForSecret(question)).toBe(false);
  });
});
