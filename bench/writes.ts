import type { JobRequest } from './children.ts'
import { articleBody } from './content.ts'
import type { Samples } from './samples.ts'

const LIST = '/api/v1/article'

/** Articles that nobody has posted before. */
export function posts({ topics, images, total }: Samples, amount: number, from: number): JobRequest[] {
  const topicIds = topics.map(({ id }) => id)
  const imageIds = images.map(({ id }) => id)
  return Array.from({ length: amount }, (_, index) =>
    write('POST', LIST, articleBody(total + from + index, topicIds, imageIds)),
  )
}

/** Changes of published articles. */
export function patches({ articles }: Samples, amount: number, from: number): JobRequest[] {
  return cycle(articles, amount, from, ({ id }, index) =>
    write('PATCH', `${LIST}/${id}`, { subtitle: `Changed ${index}` }),
  )
}

/** Changes and new articles in turn. */
export function changes(samples: Samples, amount: number, from: number): JobRequest[] {
  const changed = patches(samples, amount, from)
  const added = posts(samples, amount, from)
  return changed.map((request, index) => (index % 2 === 0 ? request : (added[index] ?? request)))
}

/** Changes of drafts, which wait for publication. */
export function drafts({ articles }: Samples, amount: number, from: number): JobRequest[] {
  return cycle(articles, amount, from, ({ id }, index) =>
    write('PATCH', `${LIST}/${id}?aposMode=draft`, { subtitle: `Draft ${index}` }),
  )
}

export function publications({ articles }: Samples, amount: number, from: number): JobRequest[] {
  return cycle(articles, amount, from, ({ id }) => write('POST', `${LIST}/${id}/publish`, {}))
}

function write(method: 'POST' | 'PATCH', path: string, body: object): JobRequest {
  return { method, path, body: JSON.stringify(body) }
}

function cycle<Item>(
  items: readonly Item[],
  amount: number,
  from: number,
  make: (item: Item, index: number) => JobRequest,
): JobRequest[] {
  return Array.from({ length: amount }, (_, index) => items[(from + index) % items.length]).flatMap((item, index) =>
    item === undefined ? [] : [make(item, from + index)],
  )
}
