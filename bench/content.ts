import { prose } from '../conformance/prose.ts'
import { articleText } from '../conformance/seed.ts'

const SECTIONS = ['news', 'essay', 'review']
/** Articles take fewer minutes than this to read, each number as often as another. */
export const MOST_MINUTES = 2000

/** An article as a client would send it: always the same one for the same number. */
export function articleBody(index: number, topicIds: readonly string[], imageIds: readonly string[] = []) {
  const text = prose(index)
  const imageId = imageIds[index % imageIds.length]
  return {
    ...articleText(text, topicIds),
    minutes: index % MOST_MINUTES,
    section: SECTIONS[text.number(SECTIONS.length)] ?? 'news',
    ...(imageId === undefined ? {} : { imageIds: [imageId] }),
  }
}
