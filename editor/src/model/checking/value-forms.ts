// The forms that the service takes texts in. A test compares each with the service's own.

const EMAIL =
  /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u
const IN_NO_URL = /[\p{Cc}\p{Z}\p{Zl}\p{Zp}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd\\<>"`^{|}]/u
const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const NUMBER = '[+-]?(?:\\d{1,9}(?:\\.\\d{1,9})?|\\.\\d{1,9})%?'
const ANGLE = `${NUMBER}(?:deg|grad|rad|turn)?`
const COLORS = [
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  /^transparent$/i,
  /^--[\p{L}\p{N}_-]+$/u,
  ...[`rgba?\\( *${NUMBER}`, `hsla?\\( *${ANGLE}`].flatMap((begin) => [
    new RegExp(`^${begin}(?: *, *${NUMBER}){2,3} *\\)$`, 'i'),
    new RegExp(`^${begin}(?: +${NUMBER}){2}(?: */ *${NUMBER})? *\\)$`, 'i'),
  ]),
]

/** True for an e-mail address. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && !/^\.|\.\.|\.@/.test(text)
}

/** True for an address: http, https, mailto, tel, or a path. */
export function isUrl(text: string): boolean {
  if (IN_NO_URL.test(text)) return false
  const scheme = /^[^/?#]*?:/.exec(text)?.[0].toLowerCase()
  if (scheme === undefined) return URL.canParse(text, 'https://site.invalid/')
  if (scheme === 'http:' || scheme === 'https:') return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text)
  if (scheme === 'mailto:') return /^mailto:[^?#]*@[^?#]+|^mailto:\?./i.test(text)
  return scheme === 'tel:' && /^tel:\+?[\d().;=\-*#a-z%]+$/i.test(text)
}

/** True for a colour as CSS writes it, or a variable `--name`. */
export function isColor(text: string): boolean {
  return text.length <= 100 && COLORS.some((color) => color.test(text))
}

/** True for a real date written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00.000Z`)
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** True for a time of the day written `HH:MM` or `HH:MM:SS`. */
export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text)
}

/** True for a date and time of ISO 8601; without an offset it is UTC. */
export function isDateAndTime(text: string): boolean {
  const [, date = '', minutes = '00:00', seconds = '00', zone = 'Z'] = INSTANT.exec(text) ?? []
  const [hoursOff = 0, minutesOff = 0] = (/\d.*/.exec(zone)?.[0].replace(':', '').match(/\d\d/g) ?? []).map(Number)
  return isDate(date) && isTime(`${minutes}:${seconds}`) && hoursOff <= 23 && minutesOff <= 59
}
