import { useSignal } from '@preact/signals'
import { useEditor } from '../../data/editor.ts'
import { findRelated } from '../../data/related.ts'
import type { Leaf } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { t } from '../../words/words.ts'
import { ChooseDialog } from './choose-dialog.tsx'
import { NewRelated } from './new-related.tsx'
import { type Choosable, type Chosen, titleOf } from './use-chosen.ts'

const SUGGESTIONS = 8

interface AddRelatedProps {
  readonly leaf: Leaf
  readonly chosen: Chosen
  readonly types: readonly string[]
  /** The type of pictures or files, which are uploaded. */
  readonly media: string | null
  readonly id: string
  readonly describedBy: string | undefined
}

/** The ways to choose one more: by typing, from a list, or by making it. */
export function AddRelated({ leaf, chosen, types, media, id, describedBy }: AddRelatedProps) {
  const isBrowsing = useSignal(false)
  const find = useFinding(types, chosen.ids)
  const full = chosen.isFull && chosen.max !== undefined ? t.related.full(chosen.max) : null
  const hidden = types.length === 0 ? t.related.hidden : null
  return (
    <div class="q-chosen-add">
      {full === null && hidden === null ? (
        <Combobox
          id={id}
          label={t.related.addTo(leaf.field.label)}
          describedBy={describedBy}
          placeholder={leaf.field.placeholder ?? t.related.addTo(leaf.field.label)}
          find={find.options}
          onChoose={({ id: docId }) => {
            const found = find.known(docId)
            if (found) chosen.add(found)
          }}
        />
      ) : (
        <Button offBecause={hidden ?? full} attributes={{ id }}>
          {t.related.addTo(leaf.field.label)}
        </Button>
      )}
      <span class="q-row">
        <Button
          offBecause={hidden}
          onPress={() => {
            isBrowsing.value = true
          }}
        >
          {t.related.browse}
        </Button>
        {media === null && <NewRelated types={types} offBecause={full} onMade={chosen.add} />}
      </span>
      {isBrowsing.value && (
        <ChooseDialog
          leaf={leaf}
          chosen={chosen}
          types={types}
          media={media}
          onClose={() => {
            isBrowsing.value = false
          }}
        />
      )}
    </div>
  )
}

/** Suggestions of documents that are not chosen yet. */
function useFinding(types: readonly string[], chosen: readonly string[]) {
  const editor = useEditor()
  const found = useSignal<ReadonlyMap<string, Choosable>>(new Map())
  const { types: known } = editor.schema.value
  return {
    known: (docId: string) => found.peek().get(docId),
    options: async (words: string, signal: AbortSignal) => {
      const { results } = await findRelated(editor, types, { words, perPage: SUGGESTIONS + chosen.length, signal })
      const rows = results.filter(({ aposDocId }) => !chosen.includes(aposDocId)).slice(0, SUGGESTIONS)
      found.value = new Map(rows.map((row) => [row.aposDocId, row]))
      return rows.map((row) => ({
        id: row.aposDocId,
        label: titleOf(row),
        detail: [
          ...(types.length > 1 ? [known[row.type]?.label] : []),
          ...(row.state === 'draft' ? [t.related.draft] : []),
        ].join(', '),
      }))
    },
  }
}
