import type { JsonObject } from '../../base/json.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { requiredProblems } from '../../model/values/required.ts'
import { storedProblem } from '../../model/values/schema.ts'
import { isStored, straysOf, walk } from '../../model/values/walk.ts'
import { valuesSetAsideIn } from './seen-content.ts'

/** How many values of one field have the same problem, counted in each copy, and the titles of some documents. */
interface Finding {
  /** The type and the field: `article.links`; items and widgets have no names in it. */
  readonly field: string
  readonly count: number
  readonly examples: readonly string[]
}

/** Values that are set aside. */
interface AsideCount extends Finding {
  /** The field type that they were stored under. */
  readonly type: string
}

/** Values that are shown, although their field would not take them today. */
interface UnfitCount extends Finding {
  readonly message: string
}

/** The result of a search through all content. */
export interface ContentFindings {
  readonly setAside: readonly AsideCount[]
  readonly unfit: readonly UnfitCount[]
}

const EXAMPLES = 3
/** More than the fields of a site: a message may contain the value, and then differs for each. */
const MOST_FINDINGS = 1000

/** Counts what the fields of a site no longer take, document by document. */
export class FindingsCounter {
  readonly #site: Site
  readonly #setAside = new Map<string, AsideCount>()
  readonly #unfit = new Map<string, UnfitCount>()

  constructor(site: Site) {
    this.#site = site
  }

  /** Looks at a copy of a document. */
  look(document: Document): void {
    const type = this.#site.types.get(document.type)
    if (type === undefined) return
    const values = openValues(document)
    const { title } = values
    const example = typeof title === 'string' && title !== '' ? title : document.id.docId
    const nameOf = (path: string) => `${document.type}.${withoutIds(path)}`
    for (const { path, aside } of valuesSetAsideIn(type, values)) {
      const field = nameOf(path)
      add(this.#setAside, `${field} ${aside.type}`, { field, type: aside.type }, example)
    }
    for (const { path, message } of unfitIn(type, values)) {
      const field = nameOf(path)
      add(this.#unfit, `${field} ${message}`, { field, message }, example)
    }
  }

  found(): ContentFindings {
    return { setAside: [...this.#setAside.values()], unfit: [...this.#unfit.values()] }
  }
}

function add<What extends object>(
  found: Map<string, What & { readonly count: number; readonly examples: readonly string[] }>,
  key: string,
  what: What,
  example: string,
): void {
  const { count = 0, examples = [] } = found.get(key) ?? {}
  if (count === 0 && found.size >= MOST_FINDINGS) return
  const isNew = examples.length < EXAMPLES && !examples.includes(example)
  found.set(key, { ...what, count: count + 1, examples: isNew ? [...examples, example] : examples })
}

function* unfitIn(type: Type, fields: JsonObject): Generator<{ readonly path: string; readonly message: string }> {
  for (const { field, values, path } of walk(type.fields, fields)) {
    if (field.type.computed || field.type.secret || !isStored(field, values)) continue
    const message = storedProblem(field, values)
    if (message !== null) yield { path, message }
    for (const stray of straysOf(field, values)) {
      yield { path, message: `This area no longer has widgets of the type ${String(stray.type)}.` }
    }
  }
  for (const { path, message } of requiredProblems(type.fields, fields)) yield { path, message }
}

/** `items.01m80….to` → `items.to`. */
function withoutIds(path: string): string {
  return path.replaceAll(/\.[0-9a-hj-km-np-tv-z]{26}(?=\.|$)/g, '')
}
