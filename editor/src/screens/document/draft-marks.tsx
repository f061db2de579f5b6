import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import type { ChangeRow, Changes, JsonObject } from 'quire-client'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { useDraftChanges, usePublished } from '../../data/unpublished-changes.ts'
import { Marks } from '../../fields/field-mark.tsx'
import type { OpenDocument, Path } from '../../model/form.ts'
import { MarkedField } from './marked-field.tsx'

interface Marked {
  readonly draft: OpenDraft
  /** The changes at each field, item or list that the form has, by dotted paths. */
  readonly rows: ReadonlySignal<ReadonlyMap<string, readonly ChangeRow[]>>
  /** Whether it was ever published. */
  readonly isCompared: ReadonlySignal<boolean>
  readonly published: () => Promise<JsonObject>
}

const MarkedDraft = createContext<Marked | null>(null)

/** Marks the fields of a form that differ from what is published, and what AI has written. */
export function DraftMarks({ draft, children }: { readonly draft: OpenDraft; readonly children: ComponentChildren }) {
  const { data } = useDraftChanges(draft)
  const changes = useSignal<Changes | null>(null)
  useEffect(() => {
    changes.value = data ?? null
  }, [data])
  const rows = useComputed(() => byPlace(draft.document, changes.value?.rows ?? []))
  const isCompared = useComputed(() => changes.value?.compared === true)
  const published = usePublished(draft)
  const marked = useMemo(() => ({ draft, rows, isCompared, published }), [draft])
  return (
    <MarkedDraft.Provider value={marked}>
      <Marks.Provider value={Mark}>{children}</Marks.Provider>
    </MarkedDraft.Provider>
  )
}

/** By the deepest place of the form that a change lies in: of what was removed the list that it was in. */
function byPlace(document: OpenDocument, rows: readonly ChangeRow[]): ReadonlyMap<string, readonly ChangeRow[]> {
  const placeOf = ({ path }: ChangeRow) => document.pathOf(path.map(({ name }) => name).join('.')).join('.')
  return Map.groupBy(rows, placeOf)
}

function Mark({ path }: { readonly path: Path }) {
  const marked = useContext(MarkedDraft)
  const rows = useComputed(() => marked?.rows.value.get(path.join('.')) ?? NONE).value
  if (marked === null || rows.length === 0) return null
  return <MarkedField {...marked} rows={rows} isCompared={marked.isCompared.value} />
}

const NONE: readonly ChangeRow[] = []
