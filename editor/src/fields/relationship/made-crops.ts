import type { PictureFile } from '../../data/related.ts'
import { type Crop, cropIn } from '../../model/crop.ts'
import { docIdOf } from '../../model/fields.ts'
import type { Leaf } from '../../model/form.ts'
import { isObject } from '../../model/json.ts'
import { chosenIn } from '../../model/related.ts'

/** Crops chosen in this window, by file; the service makes them when the document is saved. */
const chosenHere = new Map<string, readonly Crop[]>()

/** The parts of a picture that there are, or will be. */
export function madeCrops({ value }: Leaf, docId: string, { crops, url }: PictureFile): readonly Crop[] {
  const shown = chosenIn(value.value).find((one) => docIdOf(one) === docId)?.attachment
  const stored = isObject(shown) ? cropIn(shown._crop) : null
  return [...crops, ...(chosenHere.get(url) ?? []), ...(stored === null ? [] : [stored])]
}

/** Remembers that a part was chosen. */
export function rememberCrop({ url }: PictureFile, crop: Crop): void {
  chosenHere.set(url, [...(chosenHere.get(url) ?? []), crop])
}
