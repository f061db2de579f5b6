import { prose } from '../conformance/prose.ts'
import { articleText } from '../conformance/seed.ts'

const SECTIONS = ['news', 'essay', 'review']

/** An article as a client would send it: always the same one for the same number. */
export function articleBody(index: number, topicIds: readonly string[], imageIds: readonly string[] = []) {
  const text = prose(index)
  const imageId = imageIds[index % imageIds.length]
  return {
    ...articleText(text, topicIds),
    section: SECTIONS[text.number(SECTIONS.length)] ?? 'news',
    ...(imageId === undefined ? {} : { imageIds: [imageId] }),
  }
}
