import { prose } from '../conformance/prose.ts'
import type { JobRequest } from './children.ts'
import { type Samples, spread } from './samples.ts'
import { patches, posts } from './writes.ts'

const LIST = '/api/v1/article'
/** Addresses that are read: 200 lists, 900 articles by id, 900 by slug. */
const ARTICLES = 900
const LISTS_OF_A_TOPIC = 2
const LISTS_OF_ALL = 50
/** One of so many requests is a write: PATCH and POST in turn. */
const WRITE_EVERY = 20

/** Reads of 2,000 addresses at random and some writes of any article, as a site has them. */
export function mixedRequests(samples: Samples, amount: number, from: number): JobRequest[] {
  const addresses = addressesOf(samples)
  const random = prose(from)
  return Array.from({ length: amount }, (_, index): JobRequest[] => {
    const number = from + index
    const path = addresses[random.number(addresses.length)] ?? LIST
    if (number % WRITE_EVERY > 0) return [{ method: 'GET', path }]
    if (number % (2 * WRITE_EVERY) === 0) return posts(samples, 1, number)
    return patches(samples, 1, random.number(samples.articles.length))
  }).flat()
}

function addressesOf({ articles, topics }: Samples): string[] {
  const sample = spread(articles, ARTICLES)
  const pages = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  return [
    ...sample.flatMap(({ id, slug }) => [`${LIST}/${id}`, `${LIST}?slug=${slug}`]),
    ...topics.flatMap(({ id }) => pages(LISTS_OF_A_TOPIC).map((page) => `${LIST}?_topics=${id}&page=${page}`)),
    ...['', '&sort[title]=1'].flatMap((sort) => pages(LISTS_OF_ALL).map((page) => `${LIST}?page=${page}${sort}`)),
  ]
}
