/** What a value looks like. */
type ValueKind = 'phone' | 'email' | 'code' | 'count' | 'amount' | 'date' | 'time' | 'name' | 'text';

/** An attribute that a question asks for, or that words before a value name. */
export interface Asked {
  /** `phone_number`, `policy_number`, … or made from the noun phrase of the question. */
  readonly name: string;
  readonly kind: ValueKind;
  /** Only one value is true at a time: a phone number, but not an order number. */
  readonly single: boolean;
}

const attribute = (name: string, kind: ValueKind, single: boolean): Asked => ({ name, kind, single });

/** Words that begin so: "policy" and "policies", but not "manufactured" for "facture". */
const starting = (words: string): RegExp => new RegExp(`(?<![\\p{Script=Latin}\\p{M}])(?:${words})`, 'iu');

/** Nouns of numbers that identify something, by what they identify. */
const NUMBERED: readonly [name: string, single: boolean, words: RegExp][] = [
  ['policy_number', true, starting(String.raw`polic(?:y|e)|póliza|versicherung|apólice|(?:số )?hợp đồng|保单`)],
  ['claim_number', false, starting(String.raw`claim|siniestro|reclamación|schaden|sinistre|sinistro|hồ sơ|理赔`)],
  ['order_number', false, starting(String.raw`order|pedido|bestell|commande|encomenda|đơn hàng|mã đơn|订单`)],
  [
    'booking_number',
    false,
    starting(
      String.raw`booking|reservation|confirmation|reserva|buchung|réservation|mã đặt|đặt (?:chỗ|phòng)|预[订定]|确认`,
    ),
  ],
  ['account_number', true, starting(String.raw`account|cuenta|konto|compte|conta(?!\p{L})|tài khoản|账[户号]`)],
  ['customer_number', true, starting(String.raw`customer|client(?:e)?(?!\p{L})|kunden|khách hàng|客户`)],
  ['member_number', true, starting(String.raw`member|loyalty|frequent|socio|mitglied|membre|fidélité|thành viên|会员`)],
  [
    'case_number',
    false,
    starting(String.raw`case|ticket|incident|dispute|incidencia|störung|vorgang|dossier|caso|phiếu|工单|案件`),
  ],
  ['tracking_number', false, starting(String.raw`tracking|seguimiento|sendung|suivi|rastreio|vận đơn|快递|运单`)],
  ['reference_number', false, starting(String.raw`reference|referencia|referenz|référence|referência|tham chiếu|参考`)],
  ['contract_number', true, starting(String.raw`contract|contrato|vertrag|contrat|合同`)],
  ['invoice_number', false, starting(String.raw`invoice|factura|rechnung|facture|fatura|hóa đơn|发票`)],
  ['passport_number', true, starting(String.raw`passport|pasaporte|reisepass|passeport|passaporte|hộ chiếu|护照`)],
  [
    'license_plate',
    true,
    starting(String.raw`licen[cs]e plate|plate|matrícula|kennzeichen|immatriculation|placa|biển số|车牌`),
  ],
  ['serial_number', false, starting(String.raw`serial|serie|série|seriennummer|sê-ri|序列`)],
  ['flight_number', false, starting(String.raw`flight|vuelo|flug|vol(?!\p{L})|voo|chuyến bay|航班`)],
  [
    'employee_number',
    true,
    starting(String.raw`employee|staff|empleado|mitarbeiter|employé|funcionário|nhân viên|员工`),
  ],
];
/** Also within a word: "Versicherungsnummer". */
const NUMBER_NOUN =
  /number|número|numero|código|nummer|kennzeichen|plate|matrícula|numéro|immatriculation|placa|号|biển số|(?<!\p{L})(?:no|num|id|code|số|mã)(?!\p{L})/iu;

export const PHONE = attribute('phone_number', 'phone', true);
export const EMAIL = attribute('email', 'email', true);
export const ADDRESS = attribute('address', 'text', true);
export const HOME = attribute('home', 'text', true);

const KNOWN: readonly [asked: Asked, words: RegExp][] = [
  [EMAIL, starting(String.raw`e-?mail|mail|correo|courriel|邮箱|邮件`)],
  [
    attribute('landline', 'phone', true),
    starting(
      String.raw`landline|home phone|festnetz|(?:teléfono |telefone |téléphone )?fi(?:jo|xe|xo)(?!\p{L})|số cố định|座机|固定电话`,
    ),
  ],
  [
    PHONE,
    starting(
      String.raw`phone|telephone|mobile|cell(?:phone)?(?!\p{L})|call ?back|contact number|número de contacto?|kontaktnummer|numéro de contact|số liên (?:lạc|hệ)|联系|mobil|teléfono|telefono|móvil|celular|telefon|handy|rufnummer|téléphone|portable|telefone|telemóvel|điện thoại|sđt(?!\p{L})|电话|手机|number to (?:call|reach)`,
    ),
  ],
  [
    attribute('extension', 'code', true),
    starting(String.raw`extension|ext(?!\p{L})|durchwahl|nebenstelle|extensión|anexo|ramal|poste(?!\p{L})|máy lẻ|分机`),
  ],
  [
    attribute('date_of_birth', 'date', true),
    starting(String.raw`birth|nacimiento|geburts|naissance|nascimento|ngày sinh|năm sinh|出生|生日`),
  ],
  [
    attribute('postcode', 'code', true),
    starting(String.raw`zip|post(?:al)? ?code|código postal|plz|postleitzahl|code postal|cep(?!\p{L})|mã bưu|邮编`),
  ],
  [
    attribute('billing_address', 'text', true),
    /(?:billing|invoice) address|rechnungs(?:adresse|anschrift)|(?:dirección|adresse|endereço|morada|địa chỉ) (?:de )?(?:factura|facturation|fatura|cobrança|thanh toán|hóa đơn)|账单地址/iu,
  ],
  [
    ADDRESS,
    starting(
      String.raw`address|dirección|direccion|adresse|anschrift|endereço|morada|địa chỉ|地址|where\b[^?]*\b(?:deliver|bring|drop|send|ship)|d[óo]nde[^?]*(?:entreg|envi|llev)|wohin[^?]*(?:liefer|bring|schick|send)|où[^?]*(?:livr|envoy|dépos)|onde[^?]*(?:entreg|envi|lev)|(?:giao|gửi)[^?]*đâu|(?:送|寄)(?:到|去|至)?(?:哪|什么地方)`,
    ),
  ],
  [
    attribute('party_size', 'count', false),
    starting(
      String.raw`(?:people|guests|persons|diners|personas|personen|personnes|pessoas|convives|khách|mấy người|人)(?!\p{L})|几位|party size|size of (?:the|your) party|for how many`,
    ),
  ],
  [attribute('quantity', 'count', false), /(?<!\p{L})(?:quantity|menge|quantité|quantidade|số lượng)(?!\p{L})|数量/iu],
  [
    attribute('seats', 'count', false),
    starting(
      String.raw`seats?(?!\p{L})|tickets(?!\p{L})|asientos|entradas|plätze|sitzplätze|places|billets|lugares|bilhetes|ghế|vé(?!\p{L})|座位|票`,
    ),
  ],
  [
    attribute('date', 'date', false),
    starting(
      String.raw`(?:date|day|fecha|día|datum|tag|jour|data|dia|ngày)(?!\p{L})|日期|哪天|(?:^|and |for )when|cuándo|wann|quand|khi nào|什么时候`,
    ),
  ],
  [attribute('time', 'time', false), starting(String.raw`(?:time|hora|uhrzeit|zeit|heure|giờ)(?!\p{L})|时间|几点`)],
  [
    attribute('amount', 'amount', false),
    starting(String.raw`(?:amount|cantidad|importe|betrag|montant|valor|quantia|số tiền)(?!\p{L})|金额`),
  ],
  [attribute('plan', 'text', true), /(?:which|what|your|current) (?:\p{L}+ )?plan(?!\p{L})|tarif|gói cước|套餐/iu],
];

/** "Your full name", but neither "the name of your dog" nor "your company name". */
const OWN_NAME =
  /(?:^|[,¿]\s*|(?<!\p{L})(?:your|my|the|and|a|what|which|full|first|last|complete|given|family|legal|su|mi|el|y|cuál es su|ihre?n?|mein|und|den|vollständige[rn]?|votre|mon|le|et|seu|meu|o|e|xin|biết|có|anh|chị|họ(?: và)?) )(?:sur)?(?:names?|nombre(?! d)|apellidos?|namen?|nachname|vorname|nom|prénom|nome(?! d)|tên)(?! of| von| de (?!famille))(?!\p{L})|(?:名字|姓名|全名|贵姓)/iu;
export const NAME = attribute('name', 'name', true);

/** Words between two nouns of one phrase: "date of birth", "email address". */
const WITHIN_PHRASE = /^\s*(?:(?:of|de|del|von|der|do|da)\s+)?$/iu;

/** The attributes that a question or the words before a value name, in their order. */
export const askedIn = (text: string): Asked[] => {
  const found: { readonly from: number; readonly to: number; readonly asked: Asked }[] = [];
  const add = (asked: Asked, words: RegExp): void => {
    const match = words.exec(text);
    if (match === null) return;
    const [from, to] = [match.index, match.index + match[0].length];
    const isPart = found.some((one) => WITHIN_PHRASE.test(text.slice(Math.min(one.to, to), Math.max(one.from, from))));
    if (!isPart && !found.some((one) => one.asked.name === asked.name)) found.push({ from, to, asked });
  };
  for (const [asked, words] of KNOWN) add(asked, words);
  for (const [name, single, words] of NUMBER_NOUN.test(text) ? NUMBERED : [])
    if (isBeside(text, words, NUMBER_NOUN)) add(attribute(name, 'code', single), words);
  add(NAME, OWN_NAME);
  // "What number can we reach you on?", "Ihre Nummer?"
  if (found.length === 0 && BARE_NUMBER.test(text)) found.push({ from: 0, to: 0, asked: PHONE });
  return found.toSorted((one, other) => one.from - other.from).map(({ asked }) => asked);
};

const BARE_NUMBER =
  /(?:number|nummer|号码)(?!\p{L})(?! of)|(?:su|tu|un|votre|un|seu|o) n(?:ú|u|umé)m?e?ro(?!\p{L}| d)|số (?:nào|mấy|gì)|什么号/iu;
/** Characters between "number" and the noun of what it identifies. */
const GAP = 14;

/** "Policy number" and "número de póliza", but not "a number in case we get cut off". */
const isBeside = (text: string, one: RegExp, other: RegExp): boolean => {
  const [first, second] = [one.exec(text), other.exec(text)];
  if (first === null || second === null) return false;
  const [before, after] = first.index <= second.index ? [first, second] : [second, first];
  const between = text.slice(before.index + before[0].length, after.index);
  return between.length <= GAP && !/[.,;:?!]|\s(?:in|for|to|so|if|en|para|si|falls|für|pour|nếu|để)\s/iu.test(between);
};

/** What a sentence says the number of, wherever in it: "my flight has changed". */
export const numberedIn = (text: string): Asked | null => {
  const found = NUMBERED.find(([, , words]) => words.test(text));
  return found === undefined ? null : attribute(found[0], 'code', found[1]);
};

/** The attribute of a code right after the word for what it identifies: "claim C-88213". */
export const numberedBy = (before: string): Asked | null =>
  /[,;.:]\s*$/.test(before) ? null : numberedIn(before.trim().split(/\s+/).at(-1) ?? '');

/** What an agent books for a day or time. */
const BOOKED = starting(
  String.raw`appointment|reservation|booking|table|visit(?!\p{L})|(?:booked|put|scheduled|have) (?:you|your|\p{L}+) (?:in|down|a call|for)|you(?:'re| are) (?:all |now )?booked|termin(?!\p{L})|reservierung|buchung|cita(?!\p{L})|reserva|rendez-vous|réserv|consulta|lịch (?:hẹn|khám)|đặt (?:bàn|phòng)|预[约订定]|约了`,
);
export const isBooking = (text: string): boolean => BOOKED.test(text);
