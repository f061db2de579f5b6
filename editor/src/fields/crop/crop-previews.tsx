import type { PictureFile } from '../../data/related.ts'
import { type Look, seenIn } from '../../model/crop.ts'
import { t } from '../../words/words.ts'

const SHAPES = { wide: 21 / 9, square: 1, tall: 2 / 3 } as const

/** The part of a picture in three shapes: wide, square and tall. */
export function CropPreviews({ picture, look }: { readonly picture: PictureFile; readonly look: Look }) {
  return (
    <fieldset class="q-crop-previews" aria-label={t.crop.previews}>
      {(['wide', 'square', 'tall'] as const).map((shape) => {
        const { left, top, width, height } = seenIn(look, SHAPES[shape])
        return (
          <figure key={shape}>
            <svg
              class={`q-crop-preview q-crop-preview--${shape}`}
              role="img"
              aria-label={t.crop[shape]}
              viewBox={`${left} ${top} ${width} ${height}`}
            >
              <image href={picture.url} width={picture.width} height={picture.height} preserveAspectRatio="none" />
            </svg>
            <figcaption aria-hidden="true">{t.crop[shape]}</figcaption>
          </figure>
        )
      })}
    </fieldset>
  )
}
