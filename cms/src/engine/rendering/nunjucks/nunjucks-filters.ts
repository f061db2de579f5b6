const STYLES = new Set(['full', 'long', 'medium', 'short'])

/**
 * A date as people of the locale read it: `{{ article.date | date('long') }}`; `full`, `long`, `medium` or `short`,
 * without a style `long`. Moments are shown in UTC. Anything else stays as it is.
 */
export function formatDate(value: unknown, style: unknown, locale: string): string {
  const text = String(value ?? '')
  const date = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(date.getTime())) return text
  // `as`: these are the names of the styles.
  const dateStyle = (STYLES.has(String(style)) ? style : 'long') as 'full' | 'long' | 'medium' | 'short'
  return formatOf(locale, dateStyle).format(date)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes longer than formatting. There are as many as locales and styles. */
function formatOf(locale: string, dateStyle: 'full' | 'long' | 'medium' | 'short'): Intl.DateTimeFormat {
  const key = `${locale} ${dateStyle}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const [found = 'en'] = Intl.DateTimeFormat.supportedLocalesOf([locale.replaceAll('_', '-')])
  const format = new Intl.DateTimeFormat(found, { dateStyle, timeZone: 'UTC' })
  formats.set(key, format)
  return format
}
