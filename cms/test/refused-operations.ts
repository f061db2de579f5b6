import type { App } from '../src/app.ts'

/** A method and a path of the interface, with `{id}` for a document. */
export type Operation = readonly [method: string, path: string]

const OF_DRAFTS = ['publish', 'unpublish', 'revert-draft-to-published', 'revert-published-to-previous', 'localize']

/** The operations that a site with locales on one host refuses whatever is sent, because of its declarations. */
export function refusedOperations({ types, namespace }: App['site']): readonly Operation[] {
  const all = [...types.values()].filter(({ family }) => family === 'piece')
  const indexed = new Set(Array.from(types.values(), ({ index }) => index?.piecesType))
  return [
    ...all.flatMap((type): Operation[] => {
      const path = `/api/v1/${type.name}`
      const one = `${path}/{id}`
      const hasUrls = indexed.has(type.name)
      return [
        ...(type.singleton ? ofSingletons(path) : []),
        ...(type.localized ? [] : OF_DRAFTS.map((verb): Operation => ['POST', `${one}/${verb}`])),
        ...(type.localized ? [] : ['publish', 'localize'].map((verb): Operation => ['POST', `${path}/${verb}`])),
        ...(hasUrls ? [] : ([['GET', `${one}/locale/{toLocale}`]] as const)),
        ...(hasUrls || !type.localized || type.singleton ? [] : ([['POST', `${one}/preview`]] as const)),
      ]
    }),
    ['GET', `/api/v1/${namespace}/i18n/clipboard`],
  ]
}

function ofSingletons(path: string): readonly Operation[] {
  const one = `${path}/{id}`
  return [
    ['POST', path],
    ['DELETE', one],
    ['POST', `${one}/unpublish`],
    ['POST', `${one}/archive`],
    ['POST', `${path}/archive`],
  ]
}
