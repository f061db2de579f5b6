/**
 * A piece of SQL, or a whole statement with rows of type `Row`: text with its values apart, never mixed into it.
 * There is a value between any two texts. (Query builders take longer than the statements that they build.)
 */
export class Sql<Row = unknown> {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  /** Carries the type of the rows only. */
  readonly row?: Row

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

/** SQL with values and other pieces put in: pieces become part of the text, everything else a parameter. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql<Row> {
  return merge(strings, values)
}

/** Pieces one after another, with a comma or another piece between them. */
export const joined = (pieces: readonly unknown[], between: string = ', '): Sql => {
  if (pieces.length === 0) return new Sql([''], [])
  return merge(['', ...Array<string>(pieces.length - 1).fill(between), ''], pieces)
}

/** One of our own names in quotes, also `table.column`. */
export const quotedName = (name: string): Sql => new Sql([`"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`], [])

/** One of our own numbers in the text itself, where an index or the planner must see it. */
export const literal = (value: number): Sql => new Sql([String(Number(value))], [])

function merge<Row>(strings: readonly string[], pieces: readonly unknown[]): Sql<Row> {
  const texts: string[] = []
  const values: unknown[] = []
  let text = strings[0] ?? ''
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece instanceof Sql) {
      text += piece.texts[0]
      for (let inner = 0; inner < piece.values.length; inner += 1) {
        texts.push(text)
        values.push(piece.values[inner])
        text = piece.texts[inner + 1] ?? ''
      }
    } else {
      texts.push(text)
      values.push(piece)
      text = ''
    }
    text += strings[index + 1] ?? ''
  }
  texts.push(text)
  return new Sql(texts, values)
}
