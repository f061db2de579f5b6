import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { docIdOf } from '../../model/fields.ts'
import type { Leaf } from '../../model/form.ts'
import { chosenIn } from '../../model/related.ts'
import { announce } from '../../ui/live.tsx'
import { t } from '../../words/words.ts'

/** A document that can be chosen: a row of a list, or one that was just made. */
export interface Choosable {
  readonly _id: string
  readonly aposDocId: string
  readonly type: string
  readonly title: string
}

/** The documents that a relationship has chosen, and what can be done with them. */
export interface Chosen {
  readonly documents: readonly JsonObject[]
  /** Of the documents, in their order. */
  readonly ids: readonly string[]
  readonly min: number | undefined
  readonly max: number | undefined
  readonly isFull: boolean
  /** Adds one at the end; in place of the other where there is room for one. */
  add(document: Choosable): void
  /** Chooses exactly these: those that were chosen stay as they are. */
  replace(documents: readonly (Choosable | JsonObject)[]): void
  remove(docId: string): void
  move(docId: string, by: 1 | -1): void
}

/** The chosen documents of a relationship. */
export function useChosen(leaf: Leaf): Chosen {
  const { min, max } = useLimits(leaf)
  const documents = chosenIn(leaf.value.value)
  const ids = documents.map(docIdOf)
  const now = () => chosenIn(leaf.value.peek())
  const titleAt = (docId: string) => titleOf(now().find((one) => docIdOf(one) === docId))
  const replace = (next: readonly (Choosable | JsonObject)[]) => leaf.set(next.map((one) => related(one)))
  return {
    documents,
    ids,
    min,
    max,
    isFull: max !== undefined && documents.length >= max,
    add(document) {
      const others = now().filter((one) => docIdOf(one) !== document.aposDocId)
      replace([...(max === 1 ? [] : others), document])
      announce(t.related.added(document.title))
    },
    replace,
    remove(docId) {
      announce(t.related.removed(titleAt(docId)))
      leaf.set(now().filter((one) => docIdOf(one) !== docId))
    },
    move(docId, by) {
      const from = now().findIndex((one) => docIdOf(one) === docId)
      const others = now().filter((one) => docIdOf(one) !== docId)
      const to = from + by
      leaf.set([...others.slice(0, to), ...now().slice(from, from + 1), ...others.slice(to)])
      announce(t.related.movedTo(titleAt(docId), to + 1, now().length))
    },
  }
}

/** The title of a document; words for one that has none. */
export function titleOf(document: { readonly title?: unknown } | undefined): string {
  return String(document?.title || t.related.untitled)
}

function useLimits({ field }: Leaf): { min: number | undefined; max: number | undefined } {
  const amount = (limit: unknown) => (typeof limit === 'number' ? limit : undefined)
  return { min: amount(field.options.min), max: amount(field.options.max) }
}

/** A chosen document as the leaf keeps it: with what the relationship says of it. */
function related(document: Choosable | JsonObject): JsonObject {
  if ('_fields' in document) return document
  const { _id, aposDocId, type, title } = document
  return { _id: _id ?? null, aposDocId: aposDocId ?? null, type: type ?? null, title: title ?? null, _fields: {} }
}

/** The types that a relationship leads to, as far as the caller can look for their documents. */
export function useTypesOf({ field }: Leaf): readonly string[] {
  const { types } = useEditor().schema.value
  return (field.options.withType ?? []).filter((name) => types[name] !== undefined && !types[name].denied.view)
}
