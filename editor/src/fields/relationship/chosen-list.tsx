import { useRef } from 'preact/hooks'
import { useImages, useRelated } from '../../data/related.ts'
import { docIdOf } from '../../model/fields.ts'
import type { Leaf } from '../../model/form.ts'
import { afterDrawing } from '../../ui/after-drawing.ts'
import { ChosenItem } from './chosen-item.tsx'
import type { Chosen } from './use-chosen.ts'

interface ChosenListProps {
  readonly leaf: Leaf
  readonly chosen: Chosen
  readonly isPictures: boolean
  /** Of the picture that was uploaded last. */
  readonly newId: string | null
  /** Of what gets the focus when the last one is removed. */
  readonly addId: string
}

/** The chosen documents, in their order. The focus stays where the hands are when one moves or goes. */
export function ChosenList({ leaf, chosen, isPictures, newId, addId }: ChosenListProps) {
  const list = useRef<HTMLOListElement>(null)
  const rows = useRelated(chosen.ids)
  const images = useImages(isPictures ? chosen.ids : [])
  if (chosen.documents.length === 0) return null
  return (
    <ol ref={list} class="q-chosen-list">
      {chosen.documents.map((document, index) => {
        const docId = docIdOf(document)
        return (
          <ChosenItem
            key={docId}
            leaf={leaf}
            document={document}
            row={rows?.get(docId)}
            isKnown={rows !== undefined}
            image={isPictures ? images?.get(docId) : undefined}
            isNew={docId === newId}
            isFirst={index === 0}
            isLast={index === chosen.documents.length - 1}
            onMove={(by, button) => {
              chosen.move(docId, by)
              afterDrawing(() => button.focus())
            }}
            onRemove={() => {
              chosen.remove(docId)
              afterDrawing(() => {
                const items = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
                const next = items[Math.min(index, items.length - 1)] ?? globalThis.document.getElementById(addId)
                next?.focus()
              })
            }}
          />
        )
      })}
    </ol>
  )
}
