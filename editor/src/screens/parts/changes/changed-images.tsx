import type { ChangedImage, ChangeRow } from 'quire-client'
import { t } from '../../../words/words.ts'

type Images = NonNullable<ChangeRow['images']>

/** The pictures of both sides, small. */
export function ChangedImages({ images }: { readonly images: Images }) {
  const sides = [
    { label: t.changes.before, pictures: images.old },
    { label: t.changes.after, pictures: images.new },
  ]
  return (
    <div class="q-change-sides">
      {sides.map(({ label, pictures }) => (
        <figure key={label}>
          <figcaption>{label}</figcaption>
          <ul class="q-change-pictures">
            {pictures.map((picture) => (
              <Picture key={picture.href + picture.text} picture={picture} />
            ))}
          </ul>
        </figure>
      ))}
    </div>
  )
}

function Picture({ picture: { text, href, change } }: { readonly picture: ChangedImage }) {
  const name =
    change === 'same' ? text : change === 'added' ? t.changes.pictureAdded(text) : t.changes.pictureRemoved(text)
  return (
    <li class={`q-change-picture q-change-picture--${change}`}>
      {href !== '' && <img src={href} alt="" loading="lazy" />}
      <span>{name}</span>
    </li>
  )
}
