/**
 * The one list of secrets, and the one way to find them in text: in JSON, JSON inside its strings, forms and addresses.
 * No secret reaches a journal, recording, log, report or error. Doors differ only in what they write in its place.
 */
import { isRaw, parseWithSource, rawJSON } from './json.ts'
import { decoded } from './text.ts'

export type Sort = 'key' | 'secret' | 'token'
/** Gives what stands in place of a secret. A number may stay one. */
type Replace = (secret: string, sort: Sort, isNumber?: boolean) => unknown

// Lower case, without separators: `user[PIN-code]` is `userpincode`.
const SECRET =
  /secret|passw(?:or)?d|pas?word|pass(?:code|phrase|key)|(?:^|user|my|old|new|db)pass$|pwds?$|token|otps?$|otpcode|jwts?$|assertion|^x?auth(?:orization|entication)?$|(?:basic|bearer)auth|auth(?:orization)?code|bearer|credential|signature|sess(?:ion)?(?:ids?)?$|^(?:connect)?sids?$|pins?$|pincode|(?:sms|verification|onetime|security|card)codes?$|cvc2?s?$|cvv2?s?$|^(?:card)?csc$|^pans?$|cardpan|cardn(?:o|um|umber)s?$|primaryaccountnumber|^(?:card)?track(?:[123]|data)|(?:private|consumer|access|sign(?:ing)?|encryption|subscription|client|api|master|shared|hmac)keys?(?:id)?$/
/** Secret as parameters only: a field named `code` is none, but OAuth's `?code=` is. */
const SECRET_PARAMETER = /key|^code$|^sig$|^hmac$/
/** A part of each name on the list, in lower-case text, so that most texts are not parsed. */
const HINT =
  /secret|pas+w|pass|pwd|token|otp|jwt|eyj|assertion|auth|bearer|credential|signature|sess|sid|pin|sms|verif|one[^a-z]?time|security|c[sv]c|cvv|card|primary|track|key/
const PAN = /(?<!com)pan/
/** Escapes, parameters and credentials, looked for where one of their signs is. */
const SIGN = /[?&;#@%\\]/
const SIGNED = /\\u00|%[2-7][\da-f]|[?&;#](?:code|sig|hmac)=|:\/\/[^/?#\s"]{0,200}@/
const CARDLIKE = /[2-6]\d{12}|[2-6]\d{3}[ -](?:\d{4}|\d{6})[ -]\d{4}/
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g
/** Longer runs of hexadecimal digits are ids and digests, so they are passed over as a whole. */
const DIGITS = /[\da-f]{20,}|\d{13,19}|\b\d{4}([ -])(?:\d{4}\1\d{4}\1\d{1,7}|\d{6}\1\d{4,5})\b/gi
/** Numbers of card networks begin so. Times in milliseconds, dates written as digits and phones do not. */
const NETWORK = /^(?:[3-6]|2(?:2[2-9]|[3-6]|7[0-2]))/
const CREDENTIALS = /(:\/\/[^\s/?#:@"\\]{0,200}:)([^\s/?#@"\\]{1,200})(?=@)/g
const PARAMETER = /(^|[?&;#\s(,"'])([^\s=?&;#"'<>\\]{1,120})=([^\s&;#"'<>\\]*)/g
const FORM = /^[^\s=&?#/:<>"{}]+=/
const SECRET_HEADER = /^(?!www-authenticate$).*(?:auth|cookie|token|secret|key|password|signature|session|credential)/i

const stars: Replace = () => '***'

/** A text that may hold secrets and cannot be looked into is dropped: broken JSON, XML, multipart. */
export function maskBody(text: string, replace = stars): string {
  if (!mayHoldSecrets(text)) return text
  return inside(text, replace) ?? (holdsName(text) ? dropped(text) : inPlace(text, replace))
}

/** Keeps length and, where possible, shape, so that a replay is answered as the request was. `keeps`: keys of mfano's own. */
export function blankSecrets(text: string, keeps = (_key: string) => false): string {
  if (!mayHoldSecrets(text)) return text
  const crossOut: Replace = (secret, sort, isNumber) =>
    sort === 'key' && keeps(secret) ? secret : crossedOut(secret, isNumber)
  // The journal notes the length of a dropped text, which must stay true.
  return inside(text, crossOut) ?? (holdsName(text) ? 'jwt:'.padEnd(text.length, 'x') : inPlace(text, crossOut))
}

export function maskPath(path: string, replace = stars): string {
  return /[?@]|\d{13}|eyJ/.test(path) ? inPlace(path, replace) : path
}

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name) || isSecretName(name)
}

export function maskHeader(name: string, value: string, replace = stars): string {
  if (!isSecretHeader(name)) return inText(value, replace)
  const [, scheme = '', token] = /^(Bearer )\s*(.*)$/i.exec(value) ?? []
  return token === undefined ? String(replace(value, 'secret')) : scheme + String(replace(token, 'token'))
}

/** On the way of every request: lower-casing once is faster than a case-insensitive search. */
function mayHoldSecrets(text: string): boolean {
  const lower = text.toLowerCase()
  return HINT.test(lower) || PAN.test(lower) || (SIGN.test(lower) && SIGNED.test(lower)) || CARDLIKE.test(text)
}

export function isSecretName(name: string): boolean {
  return SECRET.test(plain(name))
}

function isSecretParameter(name: string): boolean {
  const read = plain(decoded(name))
  return SECRET.test(read) || SECRET_PARAMETER.test(read)
}

/** Undefined if the text has a form that cannot be read. */
function inside(text: string, replace: Replace): string | undefined {
  if (/^\s*["[{]/.test(text)) {
    try {
      const masked = parseWithSource(text, (name, value, { source = '' }) => inField(name, value, source, replace))
      // Names hold cards, too.
      return withoutCards(JSON.stringify(masked), replace)
    } catch {
      return undefined
    }
  }
  return FORM.test(text)
    ? text
        .split('&')
        .map((pair) => inPair(pair, replace))
        .join('&')
    : undefined
}

/** Text among other text: a field of JSON, a header, a part of a form. Prose stays, and what looks like data is dropped. */
export function inText(text: string, replace = stars): string {
  if (!mayHoldSecrets(text)) return text
  const read = inside(text, replace)
  if (read !== undefined) return read
  return /^\s*(?:[{<]|\[\s*["[{]|--)/.test(text) && holdsName(text)
    ? String(replace(text, 'secret'))
    : inPlace(text, replace)
}

function inField(name: string, value: unknown, source: string, replace: Replace): unknown {
  const sort = sortOf(name, isSecretName)
  if (sort) return everywhere(typeof value === 'number' ? rawJSON(source) : value, sort, replace)
  if (typeof value === 'string') return inText(value, replace)
  if (typeof value === 'number') return hasCard(source) ? replace(source, 'secret', true) : rawJSON(source)
  // `number` is a secret only inside an object that is a card.
  if (!/cards?$/i.test(name) || typeof value !== 'object' || value === null) return value
  const numbers = (card: object) =>
    'number' in card ? { ...card, number: everywhere(card.number, 'secret', replace) } : card
  return Array.isArray(value)
    ? value.map((one) => (typeof one === 'object' && one ? numbers(one) : one))
    : numbers(value)
}

/** A whole value at any depth, such as `{"tokens":["A"]}` or `{"secret":{"value":"x"}}`. */
function everywhere(value: unknown, sort: Sort, replace: Replace): unknown {
  if (typeof value === 'string') return replace(value, sort)
  if (isRaw(value)) return replace(value.rawJSON, sort, true)
  if (Array.isArray(value)) return value.map((one) => everywhere(one, sort, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everywhere(one, sort, replace)]))
}

function inPair(pair: string, replace: Replace, isSecret = isSecretParameter): string {
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  if (at < 0 || value === '') return at < 0 ? inPlace(pair, replace) : pair
  const sort = sortOf(name, isSecret)
  if (sort) return `${name}=${replace(value, sort)}`
  // JSON, an address or a card in it may be percent-encoded.
  const read = decoded(value.replaceAll('+', ' '))
  const masked = inText(read, replace)
  return masked === read ? pair : `${name}=${masked === inText(value, replace) ? masked : encodeURIComponent(masked)}`
}

function inPlace(text: string, replace: Replace): string {
  const masked = text
    .replace(TOKEN, (token) => String(replace(token, 'token')))
    .replace(CREDENTIALS, (_all, before, password) => before + String(replace(password, 'secret')))
    .replace(
      PARAMETER,
      (_all, before, name, value) =>
        before + inPair(`${name}=${value}`, replace, /[?&;#]/.test(before) ? isSecretParameter : isSecretName),
    )
  return withoutCards(masked, replace)
}

function withoutCards(text: string, replace: Replace): string {
  return text.replace(DIGITS, (digits) => (isCard(digits) ? String(replace(digits, 'secret')) : digits))
}

/** A name that something is given to: `pin=1`, `"pin": 1`, `<pin>`, `name="pin"`. */
function holdsName(text: string): boolean {
  if (/\\u00|%[2-7][\da-f]|content-disposition/i.test(text)) return true
  return [...text.matchAll(/([\p{L}\d_.[\]-]+)["']?\s{0,9}[=:>]/gu)].some(([, name = '']) => isSecretName(name))
}

function dropped(text: string): string {
  return `(${text.length} characters that may hold secrets and are not JSON)`
}

function sortOf(name: string, isSecret: (name: string) => boolean): Sort | undefined {
  if (!isSecret(name)) return undefined
  return /api.?key/i.test(name) ? 'key' : /token|jwt/i.test(name) ? 'token' : 'secret'
}

function crossedOut(secret: string, isNumber = false): unknown {
  // Stays a card, so that what is masked in it is masked in its replay.
  const said = isCard(secret) ? madeCard(secret) : isNumber ? '0' : 'x'.repeat(secret.length)
  return isNumber ? rawJSON(said) : said
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function hasCard(text: string): boolean {
  return [...text.matchAll(DIGITS)].some(([digits]) => isCard(digits))
}

function isCard(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '')
  return /^\d{13,19}$/.test(digits) && NETWORK.test(digits) && passesLuhn(digits)
}

function madeCard(like: string): string {
  const zeros = like.replaceAll(/\d/g, '0').replace('0', '4').slice(0, -1)
  const last = [...'0123456789'].find((digit) => isCard(zeros + digit))
  return `${zeros}${last}`
}

/** Catches a mistyped digit before any bank is asked. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [i, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (i % 2 === 1 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
