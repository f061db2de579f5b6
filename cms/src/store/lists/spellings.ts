import { type Connection, fixed, insertedRows, type Transaction } from '../database/connection.ts'
import { literal, type Sql, sql } from '../database/sql.ts'

const LAST_CHARACTER = '\u{10ffff}'
/** The most words that are looked at for either half of a word: languages have far fewer. */
const MOST_ALIKE = 10_000

/** Adds words to those that are known. In order, so that transactions never wait for one another in a circle. */
export async function addSpellings(transaction: Transaction, words: readonly string[]): Promise<void> {
  if (words.length === 0) return
  const rows = words.toSorted().map((word) => [word, backwards(word)])
  const inserted = insertedRows(transaction.dialect, { word: 'text', backwards: 'text' }, rows)
  await transaction.send(sql`insert into spellings ${inserted} on conflict do nothing`)
}

const ALIKE = fixed(({ begin, beginEnd, end, endEnd, swapped, least, most }: AlikeBindings): Sql<{ word: string }> => {
  const isAsLong = sql`length(word) >= ${least} and length(word) <= ${most}`
  const some = literal(MOST_ALIKE)
  return sql`
      select word from (
        select word from spellings where word >= ${begin} and word < ${beginEnd} and ${isAsLong} limit ${some}) b
      union select word from (
        select word from spellings where backwards >= ${end} and backwards < ${endEnd} and ${isAsLong} limit ${some}) e
      union select word from spellings where word = ${swapped}`
})
type AlikeBindings = Record<'begin' | 'beginEnd' | 'end' | 'endEnd' | 'swapped', string> &
  Record<'least' | 'most', number>

/**
 * The known words that may differ from a word by one mistake: then its first or its second half is in them, or two
 * letters are swapped where both meet.
 */
export async function spellingsLike(connection: Connection, word: string): Promise<string[]> {
  const letters = [...word]
  const middle = Math.floor(letters.length / 2)
  const begin = letters.slice(0, middle).join('')
  const end = backwards(letters.slice(middle).join(''))
  const found = await connection.fixed(ALIKE, {
    ...{ begin, beginEnd: begin + LAST_CHARACTER, end, endEnd: end + LAST_CHARACTER },
    swapped: [...letters.slice(0, middle - 1), letters[middle], letters[middle - 1], ...letters.slice(middle + 1)].join(
      '',
    ),
    ...{ least: letters.length - 1, most: letters.length + 1 },
  })
  return found.map((row) => row.word)
}

function backwards(word: string): string {
  return [...word].reverse().join('')
}
