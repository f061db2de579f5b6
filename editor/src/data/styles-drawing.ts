import type { JsonObject } from 'quire-client'
import type { Editor } from './editor.ts'
import { failureOf } from './failure.ts'

/** How the site looks with some values of its styles. */
export interface DrawnStyles {
  readonly css: string
  /** Of the body. */
  readonly classes: readonly string[]
}

/** Draws the styles of a site with values that nobody has saved. Rejects with a `QuireError`. */
export type StylesDrawing = (values: JsonObject, signal: AbortSignal) => Promise<DrawnStyles>

/** Draws styles; a value that cannot be drawn, such as one that is half typed, stays as it was drawn last. */
export function createStylesDrawing({ request, locale, place }: Editor): StylesDrawing {
  let last: JsonObject = {}
  const draw = (data: JsonObject, signal: AbortSignal) =>
    request<DrawnStyles>('POST', `${place.namespace}/styles/preview`, {
      body: { data },
      locale: locale.peek(),
      mode: 'draft',
      signal,
    })
  const drawn = async (values: JsonObject, signal: AbortSignal): Promise<DrawnStyles> => {
    const answer = await draw(values, signal)
    last = values
    return answer
  }
  return async (values, signal) => {
    try {
      return await drawn(values, signal)
    } catch (error) {
      const { name, problems } = failureOf(error)
      const wrong = problems.map(({ path }) => path.split('.', 1)[0] ?? '')
      if (name !== 'invalid' || wrong.length === 0) throw error
      return await drawn(withOthers(values, last, wrong), signal)
    }
  }
}

/** Values, of which some are taken from others. */
function withOthers(values: JsonObject, others: JsonObject, names: readonly string[]): JsonObject {
  const kept = Object.entries(values).filter(([name]) => !names.includes(name))
  return Object.fromEntries([...kept, ...Object.entries(others).filter(([name]) => names.includes(name))])
}
