import { type Signal, useSignal } from '@preact/signals'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { useQuery } from '../../data/query.ts'
import { findRelated } from '../../data/related.ts'
import { docIdOf } from '../../model/fields.ts'
import type { Leaf } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { MediaUpload } from './media-upload.tsx'
import { RowsToChoose } from './rows-to-choose.tsx'
import type { Choosable, Chosen } from './use-chosen.ts'

const ROWS = 24

interface ChooseDialogProps {
  readonly leaf: Leaf
  readonly chosen: Chosen
  readonly types: readonly string[]
  readonly media: string | null
  readonly onClose: () => void
}

type Picks = ReadonlyMap<string, Choosable | JsonObject>

/** All documents of the types that a relationship leads to, to choose several from at once. */
export function ChooseDialog({ leaf, chosen, types, media, onClose }: ChooseDialogProps) {
  const editor = useEditor()
  const words = useSignal('')
  const page = useSignal(1)
  const picked: Signal<Picks> = useSignal(new Map(chosen.documents.map((one) => [docIdOf(one), one])))
  const isFull = chosen.max !== undefined && picked.value.size >= chosen.max
  const { max } = chosen
  const found = useQuery(['documents', 'choose', editor.locale.value, types, words.value, page.value], (signal) =>
    findRelated(editor, types, { words: words.value, page: page.value, perPage: ROWS, signal }),
  )
  const pick = (docId: string, document: Choosable | null) => {
    const others = [...picked.peek()].filter(([id]) => id !== docId)
    const kept = max === 1 ? [] : others
    picked.value = new Map(document === null ? others : [...kept, [docId, document]])
  }
  return (
    <Dialog
      title={t.related.choose(leaf.field.label)}
      size="large"
      onClose={onClose}
      actions={
        <>
          <span aria-live="polite" class="q-choose-count">
            {t.related.chosen(picked.value.size)} {t.related.amount(chosen.min, max)}
          </span>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button
            kind="primary"
            onPress={() => {
              chosen.replace([...picked.value.values()])
              onClose()
            }}
          >
            {t.related.done}
          </Button>
        </>
      }
    >
      <div class="q-choose">
        <SearchBox
          label={t.list.search}
          value={words.value}
          onSearch={(text) => {
            words.value = text
            page.value = 1
          }}
        />
        {media && (
          <MediaUpload
            typeName={media}
            leaf={leaf}
            chosen={{ max, isFull: isFull && max !== 1, add: (made) => pick(made.aposDocId, made) }}
          />
        )}
        {found.error !== null && <Failure message={failureOf(found.error).message} onRetry={found.retry} />}
        {found.data === undefined && found.error === null && <Skeleton rows={6} />}
        {found.data?.results.length === 0 && <p>{t.list.nothing}</p>}
        {found.data && (
          <RowsToChoose
            label={leaf.field.label}
            rows={found.data.results}
            types={types}
            media={media}
            isPicked={(docId) => picked.value.has(docId)}
            isFull={isFull && max !== 1}
            onPick={(row, isPicked) => pick(row.aposDocId, isPicked ? row : null)}
          />
        )}
        <Pager
          page={page.value}
          pages={found.data?.pages ?? 0}
          onPage={(next) => {
            page.value = next
          }}
        />
      </div>
    </Dialog>
  )
}
