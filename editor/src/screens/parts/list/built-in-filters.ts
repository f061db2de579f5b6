import type { RequestOptions } from '../../../data/request-options.ts'

/** Filters of lists that are about no field. No field has such a name. */
export const FILTER = {
  scheduled: '@scheduled',
  language: '@language',
  unused: '@unused',
  kind: '@kind',
  minWidth: '@minWidth',
  minHeight: '@minHeight',
} as const

type Query = NonNullable<RequestOptions['query']>

const ASKED: Readonly<Record<string, (value: string) => Query>> = {
  [FILTER.scheduled]: (time) => (time === 'publishAt' || time === 'archiveAt' ? { [time]: { $exists: 'true' } } : {}),
  [FILTER.language]: (value) => {
    const [kind = '', locale = ''] = value.split(':')
    return kind === 'missingIn' || kind === 'outdatedIn' ? { [kind]: locale } : {}
  },
  [FILTER.unused]: () => ({ isUsed: 'false' }),
  [FILTER.kind]: (extension) => ({ extension }),
  [FILTER.minWidth]: (minWidth) => pixels({ minWidth }),
  [FILTER.minHeight]: (minHeight) => pixels({ minHeight }),
}

function pixels(query: Readonly<Record<string, string>>): Query {
  return Object.values(query).every((value) => /^\d{1,6}$/.test(value)) ? query : {}
}

/** The query of such a filter (§4.1); null for a name that is none of theirs. */
export function builtInQuery(name: string, value: string): Query | null {
  return Object.hasOwn(ASKED, name) ? (ASKED[name]?.(value) ?? null) : null
}
