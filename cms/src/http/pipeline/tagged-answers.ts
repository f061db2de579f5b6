import { ANYTHING, EVERYTHING, Tags } from '../../engine/tags.ts'
import { CACHE_TAG, type SitePurge, SURROGATE_KEY, TAG_HEADERS } from '../../model/declared/purge.ts'
import { type Basis, type Store, withSources } from '../../store/contract/store.ts'
import { PUBLIC_REVALIDATED } from '../requests/headers.ts'
import { type Answer, isForAll } from './answer.ts'

/** The longest value of a header with tags, in bytes. */
const MOST_BYTES = 2_048
/** A tag, and what separates it from the next one. */
const BYTES_OF_TAG = 8
/** The most names whose tags fit in beside that of all answers. */
const MOST_NAMES = Math.floor((MOST_BYTES - EVERYTHING.length) / BYTES_OF_TAG)

const SEPARATORS: Readonly<Record<string, string>> = { [SURROGATE_KEY]: ' ', [CACHE_TAG]: ',' }

/**
 * Answers for a cache in front of the site (§6.8): they name what they were made of, and say for how long it may keep
 * them.
 */
export class TaggedAnswers {
  readonly #purge: SitePurge
  readonly #store: Pick<Store, 'changes' | 'secret'>
  #tags: Tags | null = null

  constructor(purge: SitePurge, store: Pick<Store, 'changes' | 'secret'>) {
    this.#purge = purge
    this.#store = store
  }

  /**
   * The answer that `make` makes, with its tags where it may be kept. What has changed meanwhile has none: it would
   * reach the cache after the purge.
   */
  async make(make: () => Promise<Answer>): Promise<Answer> {
    const changes = this.#store.changes()
    if (changes === null) return make()
    this.#tags ??= new Tags(await this.#store.secret())
    const { value: answer, sources } = await withSources(changes, make)
    const { basis, areKnown } = sources
    const isKept = areKnown && isForAll(answer) && answer.headers['Cache-Control']?.startsWith('public') === true
    if (!isKept || !basis.isCurrent(changes)) return answer
    return { ...answer, headers: { ...answer.headers, ...this.#headers(answer, this.#tags, basis) } }
  }

  #headers({ headers }: Answer, tags: Tags, basis: Basis): Record<string, string> {
    const names = namesOf(basis)
    const listed = [EVERYTHING, ...(names === null ? [ANYTHING] : tags.of(names))]
    const tagHeaders = TAG_HEADERS[this.#purge.kind].map((name) => [name, listed.join(SEPARATORS[name])])
    return { ...Object.fromEntries(tagHeaders), 'Cache-Control': this.#lifetime(headers['Cache-Control'] ?? '') }
  }

  #lifetime(own: string): string {
    const { maxAge, sharedMaxAge } = this.#purge
    if (sharedMaxAge === null || own.includes('immutable')) return own
    const browsers = own === PUBLIC_REVALIDATED ? `public, max-age=${maxAge}` : own
    return `${browsers}, s-maxage=${sharedMaxAge}`
  }
}

/** All names of an answer, or fewer that cover them; null for those of every commit. */
function namesOf(basis: Basis): ReadonlySet<number> | null {
  const names = basis.allNames()
  if (names === null || names.size <= MOST_NAMES) return names
  const broad = basis.broadNames()
  return broad !== null && broad.size <= MOST_NAMES ? broad : null
}

/** An answer that no cache may keep has no tags. */
export function withoutTags({ [SURROGATE_KEY]: _, [CACHE_TAG]: __, ...headers }: Answer['headers']): Answer['headers'] {
  return headers
}
