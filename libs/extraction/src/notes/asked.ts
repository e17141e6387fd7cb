import type { Lexicon } from './languages/lexicon.js';

/** What a value looks like. */
export type ValueKind = 'phone' | 'email' | 'code' | 'count' | 'amount' | 'date' | 'time' | 'name' | 'text';

/** An attribute that a question asks for, or that words before a value name. */
export interface Asked {
  /** `phone_number`, `policy_number`, … or made from the noun phrase of the question. */
  readonly name: string;
  readonly kind: ValueKind;
  /** Only one value is true at a time: a phone number, but not an order number. */
  readonly single: boolean;
}

const attribute = (name: string, kind: ValueKind, single: boolean): Asked => ({ name, kind, single });

/** Nouns of numbers that identify something, by what they identify. */
const NUMBERED: readonly [name: string, single: boolean, words: RegExp][] = [
  ['policy_number', true, /polic(?:y|e)|póliza|versicherung|apólice|(?:số )?hợp đồng|保单/iu],
  ['claim_number', false, /claim|siniestro|reclamación|schaden|sinistre|sinistro|hồ sơ|理赔/iu],
  ['order_number', false, /(?<!\p{L})order|pedido|bestell|commande|encomenda|đơn hàng|mã đơn|订单/iu],
  [
    'booking_number',
    false,
    /booking|reservation|confirmation|reserva|buchung|réservation|mã đặt|đặt (?:chỗ|phòng)|预[订定]|确认/iu,
  ],
  ['account_number', true, /account|cuenta|konto|compte|conta(?!\p{L})|tài khoản|账[户号]/iu],
  ['customer_number', true, /customer|client(?:e)?(?!\p{L})|kunden|khách hàng|客户/iu],
  ['member_number', true, /member|loyalty|frequent|socio|mitglied|membre|fidélité|thành viên|会员/iu],
  ['case_number', false, /case|ticket|incident|vorgang|dossier|caso|phiếu|工单|案件/iu],
  ['tracking_number', false, /tracking|seguimiento|sendung|suivi|rastreio|vận đơn|快递|运单/iu],
  ['reference_number', false, /reference|referencia|referenz|référence|referência|tham chiếu|参考/iu],
  ['contract_number', true, /contract|contrato|vertrag|contrat|合同/iu],
  ['invoice_number', false, /invoice|factura|rechnung|facture|fatura|hóa đơn|发票/iu],
  ['passport_number', true, /passport|pasaporte|reisepass|passeport|passaporte|hộ chiếu|护照/iu],
  ['license_plate', true, /licen[cs]e plate|plate|matrícula|kennzeichen|immatriculation|placa|biển số|车牌/iu],
  ['serial_number', false, /serial|serie|série|seriennummer|sê-ri|序列/iu],
  ['flight_number', false, /flight|vuelo|flug|(?<!\p{L})vol(?!\p{L})|voo|chuyến bay|航班/iu],
  ['employee_number', true, /employee|staff|empleado|mitarbeiter|employé|funcionário|nhân viên|员工/iu],
];
const NUMBER_NOUN =
  /number|(?<!\p{L})no(?!\p{L})|(?<!\p{L})num(?!\p{L})|(?<!\p{L})id(?!\p{L})|(?<!\p{L})code(?!\p{L})|número|numero|código|nummer|kennzeichen|plate|matrícula|numéro|immatriculation|placa|(?<!\p{L})số(?!\p{L})|(?<!\p{L})mã(?!\p{L})|号|编号|biển số/iu;

const KNOWN: readonly [asked: Asked, words: RegExp][] = [
  [attribute('email', 'email', true), /e-?mail|correo|courriel|邮箱|邮件/iu],
  [
    attribute('phone_number', 'phone', true),
    /phone|mobile|(?<!\p{L})cell(?!\p{L})|call ?back|contact number|teléfono|telefono|móvil|celular|telefon|handy|rufnummer|téléphone|portable|telefone|telemóvel|điện thoại|(?<!\p{L})sđt(?!\p{L})|电话|手机|number to (?:call|reach)/iu,
  ],
  [
    attribute('date_of_birth', 'date', true),
    /birth|nacimiento|geburts|naissance|nascimento|ngày sinh|năm sinh|出生|生日/iu,
  ],
  [
    attribute('postcode', 'code', true),
    /zip|post(?:al)? ?code|código postal|plz|postleitzahl|code postal|(?<!\p{L})cep(?!\p{L})|mã bưu|邮编/iu,
  ],
  [attribute('address', 'text', true), /address|dirección|direccion|adresse|anschrift|endereço|morada|địa chỉ|地址/iu],
  [
    attribute('party_size', 'count', false),
    /(?:people|guests|persons|diners|personas|personen|personnes|pessoas|convives|khách|mấy người|人)(?!\p{L})|几位|party size|size of (?:the|your) party|for how many/iu,
  ],
  [attribute('quantity', 'count', false), /^(?:quantity|cantidad|menge|quantité|quantidade|số lượng|数量)$/iu],
  [
    attribute('seats', 'count', false),
    /seats?(?!\p{L})|tickets?$|asientos|entradas|plätze|sitzplätze|tickets|places|billets|lugares|bilhetes|ghế|(?<!\p{L})vé(?!\p{L})|座位|票/iu,
  ],
  [
    attribute('date', 'date', false),
    /(?<!\p{L})(?:date|day|fecha|día|datum|tag|jour|data|dia|ngày)(?!\p{L})|日期|哪天|^when$/iu,
  ],
  [attribute('time', 'time', false), /(?<!\p{L})(?:time|hora|uhrzeit|zeit|heure|giờ)(?!\p{L})|时间|几点/iu],
  [
    attribute('amount', 'amount', false),
    /(?<!\p{L})(?:amount|cantidad|importe|betrag|montant|valor|quantia|số tiền)(?!\p{L})|金额/iu,
  ],
  [attribute('city', 'text', false), /^(?:the )?(?:city|ciudad|stadt|ville|cidade|thành phố|城市)$/iu],
  [attribute('destination', 'text', false), /destination|destino|reiseziel|điểm đến|nơi đến|目的地/iu],
];

const OWN_NAME =
  /^(?:(?:full|first|last|complete|given|family|sur|legal|own|good|middle|completo|vollständiger?|complet|và) ?)*(?:name|names|surname|nombre(?: completo| y apellidos?)?|apellidos?|namen?|nachname|vorname|nom(?: complet| de famille)?|prénom|nome(?: completo)?|tên|họ(?: và)? tên|tên đầy đủ|名字|姓名|全名|贵姓)$/iu;

/** The attribute of a noun phrase such as "policy number" or "size of the pizza"; null if it names none. */
export const attributeOf = (phrase: string): Asked | null => {
  const whole = phrase.trim().toLowerCase();
  const numbered = NUMBERED.find(([, , words]) => NUMBER_NOUN.test(whole) && words.test(whole));
  const counted = numbered === undefined ? COUNT_OF.exec(whole)?.[1] : undefined;
  if (counted !== undefined) return countOf(counted);
  const [, aspect, thing] = ASPECT_OF.exec(whole) ?? [];
  const noun = aspect === undefined || thing === undefined ? headOf(whole) : `${headOf(thing)} ${aspect}`;
  if (noun === '') return null;
  const known = knownAttribute(noun);
  if (known !== null) return known;
  const name = slug(noun);
  return name === '' ? null : attribute(name, 'text', false);
};

const COUNT_OF = /^(?:total )?(?:number|número|numero|anzahl|nombre) (?:of|de|der|von) (.+)$/iu;
const ASPECT_OF = /^(type|kind|size|style|brand|colou?r|model) of (.+)$/iu;

/** One of the usual attributes; null if the words name none. */
export const knownAttribute = (noun: string): Asked | null => {
  if (OWN_NAME.test(noun)) return attribute('name', 'name', true);
  const known = KNOWN.find(([, words]) => words.test(noun));
  if (known !== undefined) return known[0];
  if (NUMBER_NOUN.test(noun)) {
    const numbered = NUMBERED.find(([, , words]) => words.test(noun));
    if (numbered !== undefined) return attribute(numbered[0], 'code', numbered[1]);
  }
  return null;
};

const LONGEST_SLUG = 40;
const MOST_WORDS = 4;
/** Where a noun phrase of a question ends. */
const TAIL =
  /(?<=.)\s(?:please|for|of|on|in|at|with|that|which|to|and|or|so|you|do|does|are|is|was|were|would|will|should|can|could|have|has|if|when|where|from|by|as|bitte|für|por|para|pour|ạ|nhé|của|associated|again|today|now|first|out|also)(?![\p{L}\p{N}]).*$/iu;
const NO_WORD = /[^\p{L}\p{N}\s'’/-]/u;
const ARTICLE = /^(?:the|your|a|an|my|his|her|their|exact|preferred|current|desired)\s/iu;
/** Phrases that ask for nothing that could be a value. */
const NO_SLOT =
  /^(?:problem|matter|issue|question|reason|else|kind|kinds|type|types|sort|thing|things|help|way|one|ones|about|more|information|details?|detail|following|minute|moment|idea|best|name of|difference|weather|happened?|it|that|this|us|me|know|look|favou?r|plan|plans|think|mean|you|up|wrong|new|next|latest|story|deal|point|made|makes|happening|going|inspired|do|did|has|your)\b/iu;

/** A noun phrase without articles and without what follows it. */
const headOf = (noun: string): string => {
  let phrase = (noun.split(NO_WORD, 1)[0] ?? '').replace(TAIL, '');
  while (ARTICLE.test(phrase)) phrase = phrase.replace(ARTICLE, '');
  return phrase.trim();
};

const slug = (noun: string): string => {
  const phrase = headOf(noun);
  if (NO_SLOT.test(phrase)) return '';
  const parts = phrase.replace(/['’]s\b/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (parts.length === 0 || parts.length > MOST_WORDS) return '';
  const name = parts.join('_').replace(/_no$/, '_number');
  return (name.length < 2 && !/\p{Script=Han}/u.test(name)) || name.length > LONGEST_SLUG ? '' : name;
};

const WHEN = /^(?:and )?(?:when|for when|cuándo|wann|quand|quando|khi nào|什么时候)/iu;

/** The attributes that a question asks for, in order; empty if it asks for no value. */
export const askedIn = (question: string, lexicon: Lexicon): Asked[] => {
  const found: { readonly at: number; readonly asked: Asked }[] = [];
  for (const pattern of lexicon.asksFor) {
    const match = pattern.exec(question);
    const phrase = match?.[1];
    if (match === null || phrase === undefined || found.some(({ at }) => at === match.index)) continue;
    const counts = COUNTS.test(match[0]);
    const asked = counts ? countOf(phrase) : attributeOf(phrase);
    if (asked !== null && !found.some(({ asked: { name } }) => name === asked.name))
      found.push({ at: match.index, asked });
  }
  if (found.length > 0)
    return found
      .toSorted((one, other) => one.at - other.at)
      .slice(0, 1)
      .map(({ asked }) => asked);
  if (WHEN.test(question.trim())) return [attribute('date', 'date', false)];
  return [];
};

const COUNTS = /how many|cuánt[oa]s|wie viele|combien de|quant[oa]s|mấy|bao nhiêu|几|多少/iu;

const countOf = (phrase: string): Asked | null => {
  const known = KNOWN.find(([asked, words]) => asked.kind === 'count' && words.test(phrase))?.[0];
  if (known !== undefined) return known;
  const name = slug(phrase);
  return name === '' ? null : attribute(`number_of_${name}`, 'count', false);
};
