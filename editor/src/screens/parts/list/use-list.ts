import { type Signal, useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import type { JsonObject, TypeInfo } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { type Answered, useQuery } from '../../../data/query.ts'
import { type ListView, queryOf, requestOf, viewOf } from './list-view.ts'

/** A page of a list. */
export interface ListPage {
  readonly results: readonly JsonObject[]
  readonly pages: number
  readonly currentPage: number
  readonly total: number
}

/** A list that is on the screen, and what is chosen in it. */
export interface OpenList {
  readonly name: string
  readonly type: TypeInfo
  readonly view: ListView
  readonly answered: Answered<ListPage>
  /** Titles by `_id`. */
  readonly chosen: Signal<ReadonlyMap<string, string>>
  /** Shows it otherwise, from its first page on unless `change` says which. */
  show(change: Partial<ListView>): void
}

/** The documents of a type as the address asks for them; `path` is the address of the list. */
export function useList(path: string, name: string, type: TypeInfo): OpenList {
  const { request, locale, go } = useEditor()
  const { query } = useLocation()
  const view = viewOf(query)
  const chosen = useSignal<ReadonlyMap<string, string>>(new Map())
  const asked = requestOf(view, type)
  const answered = useQuery([name, 'list', locale.value, asked.query], (signal) =>
    request<ListPage>('GET', name, { ...asked, locale: locale.value, signal }),
  )
  const show = (change: Partial<ListView>) => {
    chosen.value = new Map()
    go(path, { query: queryOf({ ...view, page: 1, ...change }), isReplacing: true })
  }
  return { name, type, view, answered, chosen, show }
}

/** The choice after a row was chosen, or was not any more. */
export function toggled(chosen: ReadonlyMap<string, string>, id: string, title: string): ReadonlyMap<string, string> {
  const next = new Map(chosen)
  if (!next.delete(id)) next.set(id, title)
  return next
}
