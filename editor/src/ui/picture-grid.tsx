import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../words/words.ts'
import './picture-grid.css'

/** A picture to choose. */
export interface Picture {
  readonly id: string
  readonly title: string
  /** Of its smallest size; null where it has none. */
  readonly src: string | null
  readonly isChosen: boolean
  /** A link to it, around the picture; without, a press on it chooses. */
  readonly href?: string
  /** Below the title: its state, what is missing. */
  readonly detail?: ComponentChildren
}

interface PictureGridProps {
  readonly label: string
  readonly pictures: readonly Picture[]
  readonly onChoose: (id: string, isChosen: boolean) => void
  /** One at a time: the checkboxes are radio buttons. */
  readonly isSingle?: boolean
}

/** Pictures, each with a checkbox *Select TITLE* (or a radio button) and its title. */
export function PictureGrid({ label, pictures, onChoose, isSingle = false }: PictureGridProps) {
  const group = useId()
  return (
    <ul class="q-pictures" aria-label={label}>
      {pictures.map((picture) => (
        <li key={picture.id} class={picture.isChosen ? 'q-picture q-picture--chosen' : 'q-picture'}>
          <label class="q-picture-choice">
            <input
              type={isSingle ? 'radio' : 'checkbox'}
              name={isSingle ? group : undefined}
              aria-label={t.list.select(picture.title)}
              checked={picture.isChosen}
              onChange={({ currentTarget }) => onChoose(picture.id, currentTarget.checked)}
            />
            {picture.href === undefined && <Thumbnail {...picture} />}
          </label>
          {picture.href === undefined ? (
            <span class="q-picture-title">{picture.title}</span>
          ) : (
            <a class="q-picture-link" href={picture.href}>
              <Thumbnail {...picture} />
              <span class="q-picture-title">{picture.title}</span>
            </a>
          )}
          {picture.detail && <span class="q-picture-detail">{picture.detail}</span>}
        </li>
      ))}
    </ul>
  )
}

function Thumbnail({ src }: Pick<Picture, 'src'>) {
  return <span class="q-picture-place">{src !== null && <img src={src} alt="" loading="lazy" decoding="async" />}</span>
}
