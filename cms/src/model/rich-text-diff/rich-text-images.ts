import { shownImage } from '../terms/permalinks.ts'
import type { RichObject } from './rich-word.ts'

/** An image: its description and address, unless the store has its title. */
export function imageOf({ attributes: { src = '', alt = '' } }: RichObject) {
  const imageId = shownImage(src)
  const text = alt === '' ? (src.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : alt
  return { text, href: src, ...(imageId !== undefined && { imageId }) }
}

/** What is reported of an image; its style is all that is neither its description nor its link. */
export function describedImage({ attributes, format }: RichObject) {
  const { src: _src, alt: imageAlt = '', ...others } = attributes
  const { link: imageLink = '', ...traits } = format.traits
  const blocks = format.blocks.split('>').filter((tag) => tag !== '' && tag !== 'p')
  const style = [...Object.entries(others).toSorted(), ...Object.entries(traits)].map((entry) => entry.join(' '))
  return { imageAlt, imageLink, imageStyle: [...style, ...blocks].join(', ') }
}
