import { type Mark, withMark } from './inline-writer.ts'

const TAG = /(<[^<>]*>)/
const IMAGE = /^<img\b/
const RULE = /^<hr\b/
/** What only one element may have. */
const UNIQUE = /\s(?:id|name)="[^"]*"/g

/** Two sanitised rich texts, one after the other: all of the older is removed, all of the newer added. */
export function markReplaced(older: string, newer: string): string {
  const removed = marked(older, 'removed', (tag) => (RULE.test(tag) ? '' : tag.replace(UNIQUE, '')))
  return removed + marked(newer, 'added', (tag) => tag)
}

/** Marks texts and images where they stand, so that marks are inside all other elements. */
function marked(html: string, mark: Exclude<Mark, null>, written: (tag: string) => string): string {
  const parts = html.split(TAG).map((part, index) => {
    const isTag = index % 2 === 1
    const shown = isTag ? written(part) : part
    return (isTag && !IMAGE.test(part)) || shown.trim() === '' ? shown : withMark(shown, mark)
  })
  return parts.join('')
}
