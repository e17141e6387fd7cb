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

export const attribute = (name: string, kind: ValueKind, single: boolean): Asked => ({ name, kind, single });

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

const KNOWN: readonly [asked: Asked, words: RegExp][] = [
  [attribute('email', 'email', true), starting(String.raw`e-?mail|mail|correo|courriel|邮箱|邮件`)],
  [
    attribute('landline', 'phone', true),
    starting(
      String.raw`landline|home phone|festnetz|(?:teléfono |telefone |téléphone )?fi(?:jo|xe|xo)(?!\p{L})|số cố định|座机|固定电话`,
    ),
  ],
  [
    attribute('phone_number', 'phone', true),
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
    attribute('address', 'text', true),
    starting(String.raw`address|dirección|direccion|adresse|anschrift|endereço|morada|địa chỉ|地址`),
  ],
  [
    attribute('party_size', 'count', false),
    starting(
      String.raw`(?:people|guests|persons|diners|personas|personen|personnes|pessoas|convives|khách|mấy người|人)(?!\p{L})|几位|party size|size of (?:the|your) party|for how many`,
    ),
  ],
  [attribute('quantity', 'count', false), /^(?:quantity|cantidad|menge|quantité|quantidade|số lượng|数量)$/iu],
  [
    attribute('seats', 'count', false),
    starting(
      String.raw`seats?$|tickets?$|asientos|entradas|plätze|sitzplätze|places|billets|lugares|bilhetes|ghế|vé(?!\p{L})|座位|票`,
    ),
  ],
  [
    attribute('date', 'date', false),
    starting(String.raw`(?:date|day|fecha|día|datum|tag|jour|data|dia|ngày)(?!\p{L})|日期|哪天|^when$`),
  ],
  [attribute('time', 'time', false), starting(String.raw`(?:time|hora|uhrzeit|zeit|heure|giờ)(?!\p{L})|时间|几点`)],
  [
    attribute('amount', 'amount', false),
    starting(String.raw`(?:amount|cantidad|importe|betrag|montant|valor|quantia|số tiền)(?!\p{L})|金额`),
  ],
  [attribute('city', 'text', false), /^(?:the )?(?:city|ciudad|stadt|ville|cidade|thành phố|城市)$/iu],
  [attribute('plan', 'text', true), /^(?:[\p{L}-]+ ){0,2}plan$|tarif|gói cước|套餐/iu],
  [
    attribute('destination', 'text', false),
    starting(String.raw`destination|destino|reiseziel|điểm đến|nơi đến|目的地`),
  ],
];

const OWN_NAME =
  /^(?:(?:full|first|last|complete|given|family|sur|legal|own|good|middle|completo|vollständiger?|complet|và) ?)*(?:name|names|surname|nombre(?: completo| y apellidos?)?|apellidos?|namen?|nachname|vorname|nom(?: complet| de famille)?|prénom|nome(?: completo)?|tên|họ(?: và)? tên|tên đầy đủ|名字|姓名|全名|贵姓)$/iu;

/** One of the usual attributes; null if the words name none. */
export const knownAttribute = (noun: string): Asked | null => {
  if (OWN_NAME.test(noun)) return attribute('name', 'name', true);
  const known = KNOWN.find(([, words]) => words.test(noun));
  if (known !== undefined) return known[0];
  const numbered = NUMBERED.find(([, , words]) => isBeside(noun, words, NUMBER_NOUN));
  return numbered === undefined ? null : attribute(numbered[0], 'code', numbered[1]);
};

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

/** "What number can we reach you on?", "Ihre Nummer?": of whatever has the form of the answer. */
export const isBareNumber = (noun: string): boolean =>
  /^(?:good |best |contact |current |new |right |callback |other |alternative )*(?:number|número|numero|nummer|numéro|số|号码|号)$/iu.test(
    noun.trim(),
  );

/** The attribute of a code right after the word for what it identifies: "claim C-88213". */
export const numberedBy = (before: string): Asked | null => {
  if (/[,;.:]\s*$/.test(before)) return null;
  const word = before.slice(-LONGEST_WORD).trim().split(/\s+/).at(-1) ?? '';
  const found = NUMBERED.find(([, , words]) => words.test(word));
  return found === undefined ? null : attribute(found[0], 'code', found[1]);
};
const LONGEST_WORD = 24;

/** What a sentence says the number of, wherever in it: "my flight has changed". */
export const numberedIn = (text: string): Asked | null => {
  const found = NUMBERED.find(([, , words]) => words.test(text));
  return found === undefined ? null : attribute(found[0], 'code', found[1]);
};

/** What an agent books for a day or time. */
const BOOKED = starting(
  String.raw`appointment|reservation|booking|table|visit(?!\p{L})|(?:booked|put|scheduled|have) (?:you|your|\p{L}+) (?:in|down|a call|for)|you(?:'re| are) (?:all |now )?booked|termin(?!\p{L})|reservierung|buchung|cita(?!\p{L})|reserva|rendez-vous|réserv|consulta|lịch (?:hẹn|khám)|đặt (?:bàn|phòng)|预[约订定]|约了`,
);
export const isBooking = (text: string): boolean => BOOKED.test(text);

/** One of the usual attributes that are counts; null if the words name none. */
export const countedAttribute = (noun: string): Asked | null =>
  KNOWN.find(([asked, words]) => asked.kind === 'count' && words.test(noun))?.[0] ?? null;
