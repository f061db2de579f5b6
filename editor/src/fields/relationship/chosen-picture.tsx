import type { PictureFile } from '../../data/related.ts'
import { lookOf } from '../../model/crop.ts'
import type { Leaf } from '../../model/form.ts'
import { saidOf } from '../../model/related.ts'
import { madeCrops } from './made-crops.ts'

interface ChosenPictureProps {
  readonly leaf: Leaf
  readonly docId: string
  readonly picture: PictureFile
}

/** A chosen picture as this place shows it, small. */
export function ChosenPicture({ leaf, docId, picture }: ChosenPictureProps) {
  const { crop } = lookOf(saidOf(leaf.value.value, docId), picture, madeCrops(leaf, docId, picture))
  const { left, top, width, height } = crop
  return (
    <svg class="q-thumbnail" aria-hidden="true" viewBox={`${left} ${top} ${width} ${height}`}>
      <image href={picture.thumbnail} width={picture.width} height={picture.height} preserveAspectRatio="none" />
    </svg>
  )
}
