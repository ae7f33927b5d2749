/** The names of the columns of claims, in the languages of our pages. */
const HEADINGS = {
  email: [
    'email, e-mail, email address, mail, mail address, recipient, recipient email, to',
    'E-Mail-Adresse, Mailadresse, Empfänger',
    'correo, correo electrónico, dirección de correo, dirección de correo electrónico, destinatario',
    'courriel, adresse email, adresse mail, adresse électronique, adresse courriel, mél, destinataire',
    'posta elettronica, indirizzo email, indirizzo mail, indirizzo di posta elettronica',
    'e-mailadres, mailadres, ontvanger',
    'adres email, adres mailowy, odbiorca',
    'endereço de email, correio eletrônico, destinatário',
    'メール, メールアドレス, Eメール, Eメールアドレス, 電子メール, 宛先, 受取人',
    '이메일, 이메일 주소, 메일, 메일 주소, 전자우편, 받는 사람, 수신자',
    '邮箱, 邮箱地址, 电子邮箱, 电子邮件, 电子邮件地址, 邮件, 收件人, 電子郵件, 電子信箱, 信箱',
    'البريد, البريد الإلكتروني, بريد إلكتروني, عنوان البريد الإلكتروني, المستلم',
  ],
  item_id: [
    'item id',
    'Artikel-ID, Objekt-ID, id del artículo, id del objeto, id article, id de l’objet, id oggetto, id articolo',
    'item-id, id przedmiotu, id do item, アイテムID, 아이템 ID, 物品ID, 项目ID, 藏品ID, معرف العنصر, معرف القطعة',
  ],
  item: [
    'item',
    'Artikel, Objekt, artículo, objeto, article, objet, oggetto, articolo',
    'przedmiot, アイテム, 아이템, 物品, 项目, 藏品, العنصر, القطعة',
  ],
  token_id: [
    'token id, token',
    'Token-Nummer, id del token, id de token, id du token, identifiant du token, id token, id tokena, id do token',
    'トークンID, トークン, 토큰 ID, 토큰, 代币ID, 代币, معرف الرمز, الرمز',
  ],
  quantity: [
    'quantity, qty, units, amount, count',
    'Menge, Anzahl, Stück, Stückzahl, cantidad, unidades, quantité, qté, nombre, quantità, numero, pezzi, unità',
    'aantal, hoeveelheid, stuks, ilość, liczba, liczba sztuk, quantidade, qtd',
    '数量, 個数, 枚数, 수량, 개수, 件数, 數量, الكمية, العدد',
  ],
  tx_payer: [
    'tx payer, payer, who pays',
    'Zahler, wer zahlt, quién paga, pagador, qui paie, payeur, chi paga, pagante, wie betaalt, betaler',
    'kto płaci, płatnik, quem paga, 支払者, 결제자, 付款人, 付款方, الدافع, من يدفع',
  ],
  expiration: [
    'expiration, expires, expires at, expires on, expiry, expiry date, valid until',
    'gültig bis, Ablauf, Ablaufdatum, läuft ab, läuft ab am, Verfallsdatum',
    'válido hasta, vencimiento, fecha de vencimiento, caducidad, fecha de caducidad, caduca, expira',
    'valable jusqu’au, valide jusqu’au, date d’expiration, expire, expire le, échéance',
    'scadenza, data di scadenza, valido fino al, valido fino a, scade, scade il',
    'geldig tot, vervaldatum, verloopt, verloopt op, verloopdatum',
    'ważne do, ważny do, wygasa, data wygaśnięcia, termin ważności, data ważności',
    'válido até, validade, data de validade, expira em, data de expiração',
    '有効期限, 期限, 만료, 만료일, 유효기간, 有效期, 有效期至, 到期, 到期日, 过期时间, 截止日期',
    'صالح حتى, تاريخ الانتهاء, انتهاء الصلاحية, تاريخ انتهاء الصلاحية',
  ],
  locale: [
    'locale, language, lang',
    'Sprache, idioma, lengua, langue, lingua, taal, język',
    '言語, 언어, 语言, 語言, اللغة, لغة',
  ],
} as const satisfies Record<string, readonly string[]>

/** Letters without their marks, and digits: "E-Mail" and "email" are equal, "Quantité" and "quantite" too. */
const wordOf = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const FIELDS = new Map(
  Object.entries(HEADINGS).flatMap(([field, lists]) =>
    lists.flatMap((list) => list.split(', ').map((heading) => [wordOf(heading), field] as const)),
  ),
)

/**
 * The field of a claim that a heading means; null where it is unknown. A repeated heading has its number behind it
 * (read-table.ts).
 */
export const claimFieldOf = (heading: string): string | null =>
  FIELDS.get(wordOf(heading)) ?? FIELDS.get(wordOf(heading.replace(/ \(\d+\)$/, ''))) ?? null
