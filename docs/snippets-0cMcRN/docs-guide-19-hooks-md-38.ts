import { type DocumentOf, piece } from 'quire-cms'

const source = piece('source', { fields: { add: { url: { type: 'url' }, checked: { type: 'date' } } } })

/** Whether the address was looked at in this year. */
export function isFresh({ checked }: DocumentOf<typeof source>, year: number): boolean {
  return checked?.startsWith(String(year)) ?? false
}
