import { documentCalls } from './documents.ts'
import type { QueryValues } from './query.ts'
import type { RequestOptions, Transport } from './request.ts'

type Options = RequestOptions | undefined

/** The calls for pages; an archived page is one below `_archive`. */
export function pageCalls(transport: Transport) {
  const path = '@cms/page'
  const calls = documentCalls(transport, path)
  const read = async (address: string, query?: QueryValues, options?: Options) =>
    (await calls.read(address, query, options)).body
  const move = (id: string, position: object, options?: Options) => calls.patch(id, position, options)
  const into =
    (_targetId: string) =>
    (id: string, options?: Options): Promise<unknown> =>
      // Every page has a draft, and both copies move.
      move(id, { _targetId, _position: 'lastChild' }, { mode: 'draft', ...options })
  return {
    ...calls,
    home: (query?: QueryValues, options?: Options) => read(path, query, options),
    children: (id: string, query?: QueryValues, options?: Options) =>
      read(`${path}/${encodeURIComponent(id)}/children`, query, options),
    insert: (type: string, page: object, options?: Options) => calls.create({ ...page, type }, options),
    replace: (type: string, id: string, page: object, options?: Options) =>
      calls.replace(id, { ...page, type }, options),
    move,
    archive: into('_archive'),
    restore: into('_home'),
  }
}
