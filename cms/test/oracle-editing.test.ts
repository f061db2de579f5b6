import { beforeAll, describe, expect, it } from 'vitest'
import { defineSite, page, piece } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { sample } from './sample.ts'
import { callerOf, describeService } from './service.ts'

/**
 * What editors ask for (§4.1, §4.2, §5.11) says nothing of what is hidden from the caller (§5.8): every question is asked
 * before and after only that has changed, and the answers must be the same.
 */
const secret = { type: 'string', viewPermission: 'admin' } as const
const fields = {
  add: {
    open: { type: 'string' },
    secret,
    box: { type: 'object', fields: { add: { open: { type: 'string' }, secret } } },
    rows: { type: 'array', fields: { add: { open: { type: 'string' }, secret: { ...secret, required: true } } } },
    _vaults: { type: 'relationship', withType: 'vault' },
    _any: { type: 'relationship', withType: ['vault', 'note'] },
  },
} as const

const site = defineSite({
  locales: { en: { label: 'English' }, it: { label: 'Italian', prefix: '/it', private: true } },
  types: [
    piece('vault', { viewRole: 'admin', editRole: 'admin' }),
    piece('note', { publicApiProjection: ['title'], searchable: ['_vaults', '_any'], fields }),
    page('leaf', { publicApiProjection: ['title'], fields }),
    page('safe', { viewRole: 'admin', editRole: 'admin' }),
  ],
})

type Role = 'anonymous' | 'guest' | 'contributor' | 'editor' | 'ai'
const ROLES = sample<Role>(['anonymous', 'guest', 'contributor', 'editor', 'ai'], 2)
const WORDS = ['merger', 'vault', 'safe', 'note', 'leaf']

describeService('§5.8 what editors ask for', { site, on: sampledDatabases('oracle-editing') }, (service) => {
  const ids: Record<string, string> = {}
  const done = async (answering: ReturnType<typeof service.admin.post>) => {
    const answer = await answering
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const place = (type: string, target: string) => ({ type, _targetId: target, _position: 'lastChild' })

  beforeAll(async () => {
    const { admin } = service
    const make = async (name: string, type: string, body: object, query = '') => {
      ids[name] = (await done(admin.post(type, { title: name, ...body }, query))).aposDocId
    }
    await make('vault', 'vault', {})
    await make('safe', '@cms/page', place('safe', '_home'))
    await make('note one', 'note', { rows: [{ open: 'x', secret: 'x' }] })
    await make('note two', 'note', {})
    await make('note draft', 'note', {}, 'aposMode=draft')
    await make('leaf', '@cms/page', place('leaf', '_home'))
    await make('leaf below', '@cms/page', place('leaf', ids.leaf ?? ''), 'aposMode=draft')
    await make('leaf beside', '@cms/page', place('leaf', '_home'))
    await saveAgain('')
  })

  /** What is saved in which order stays the same: only what is hidden changes. */
  const saveAgain = async (text: string) => {
    const values = {
      secret: text,
      box: { open: 'x', secret: text },
      _vaults: text === '' ? [] : [ids.vault],
      _any: text === '' ? [ids['note two']] : [ids['note two'], ids.vault],
    }
    saves += 1
    for (const name of ['note one', 'note two', 'leaf', 'leaf beside'])
      for (const mode of ['published', 'draft'])
        await done(
          service.admin.patch(`${name.startsWith('note') ? 'note' : '@cms/page'}/${ids[name]}:en:${mode}`, {
            ...values,
            open: `open ${mode}`,
            box: { ...values.box, secret: `${text} ${saves}` },
          }),
        )
  }
  let saves = 0

  const plantHidden = async () => {
    const made: [string, string][] = []
    const plant = async (path: string, body: object, query = '') => {
      const { aposDocId } = await done(service.admin.post(path, { title: 'merger vault note', ...body }, query))
      made.push([path, aposDocId])
      return aposDocId
    }
    await plant('vault', { title: 'merger vault' })
    await plant('vault', {}, 'aposMode=draft')
    await done(service.admin.post(`vault/${await plant('vault', {})}/archive`))
    await plant('vault', {}, 'aposLocale=it')
    await plant('@cms/page', place('safe', '_home'))
    await plant('@cms/page', place('safe', ids.leaf ?? ''), 'aposMode=draft')
    await plant('@cms/page', place('safe', ids.safe ?? ''))
    return async () => {
      for (const [path, id] of made.toReversed())
        for (const mode of ['published', 'draft']) await service.admin.delete(`${path}/${id}:en:${mode}`)
    }
  }

  const lists = () => [
    '',
    ...['draft', 'modified', 'published', 'archived', 'draft,modified'].map((state) => `state=${state}`),
    ...['title', '-title', 'updatedAt', '-lastPublishedAt', 'lastPublishedAt'].map((sort) => `sort=${sort}`),
    ...WORDS.flatMap((word) => [`search=${word}`, `autocomplete=${word.slice(0, 3)}`]),
    'counts=state&perPage=1',
    'page=2&perPage=2',
    'archived=any',
    'updatedBy=nobody',
    'aposLocale=it',
  ]

  const asks = (): (readonly [string, string, string, object?])[] => {
    const target = { _targetId: ids.leaf, _position: 'lastChild' }
    const pages = [ids.leaf, '_home', ids.safe].map((id) => `@cms/page/${id}`)
    const documents = [`note/${ids['note one']}`, `note/${ids['note draft']}`, `note/${ids.vault}`, ...pages]
    return [
      ...lists().map((query) => ['GET', '@cms/documents', query] as const),
      ...lists().map((query) => ['GET', 'note', `aposMode=draft&${query}`] as const),
      ...['types=vault', 'types=safe', 'types=note', 'counts=type,state', 'types=nothing'].map(
        (query) => ['GET', '@cms/documents', query] as const,
      ),
      ...['vault', 'safe', 'note one', 'leaf below'].map(
        (name) => ['GET', '@cms/documents', `_ids[]=${ids[name]}&_ids[]=${ids.leaf}&counts=type,state`] as const,
      ),
      ...pages.flatMap((path) => [
        ...[
          '',
          'perPage=1',
          'perPage=1&page=2',
          'archived=any',
          'aposMode=draft',
          'aposLocale=it',
          'project[secret]=1',
        ].map((query) => ['GET', `${path}/children`, query] as const),
        ['POST', `${path}/slug`, '', { title: 'Another title' }] as const,
        ['POST', `${path}/slug`, 'aposMode=draft', { slug: '/other' }] as const,
      ]),
      ...documents.flatMap((path) => [
        ['GET', `${path}:en:draft`, 'problems=true'] as const,
        ['GET', `${path}/changes`, ''] as const,
        ['POST', `${path}/publish`, '', { check: true }] as const,
      ]),
      ['POST', 'note/slug', '', { title: 'Another title' }],
      ['POST', 'vault/slug', '', { title: 'Another title' }],
      ['POST', '@cms/page/slug', '', { type: 'leaf', title: 'Another title', ...target }],
      ['POST', '@cms/page/slug', '', { type: 'leaf', title: 'Another title', ...target, _targetId: ids.safe }],
      ['POST', '@cms/page/slug', '', { type: 'safe', title: 'Another title', ...target }],
      ...[ids.leaf, ids['leaf beside'], ids.safe, ids.vault].map(
        (_targetId) =>
          [
            'POST',
            '@cms/page/move',
            '',
            { _ids: [`${ids['leaf below']}:en:draft`], _targetId, _position: 'firstChild', check: true },
          ] as const,
      ),
      ['POST', '@cms/page/move', '', { _ids: [ids.safe], ...target, check: true }],
      ['POST', 'note/publish', '', { _ids: [ids.vault, ids.safe], check: true }],
      ['GET', '@cms/schema', ''],
    ]
  }

  const answersOf = async (role: Role) => {
    const caller = callerOf(service.address, role === 'anonymous' ? null : `key-${role}`, null)
    const answers: [string, unknown][] = []
    for (const [method, path, query, body] of asks()) {
      const { status, body: told } = await (method === 'GET'
        ? caller.get(path, query)
        : caller.post(path, body ?? {}, query))
      answers.push([`${method} ${path}?${query} ${JSON.stringify(body)}`, { status, body: strip(told) }])
    }
    return Object.fromEntries(answers)
  }

  describe.each(ROLES)('%s', (role) => {
    it('§5.8 learns nothing of documents of hidden types', async () => {
      const before = await answersOf(role)
      const remove = await plantHidden()
      expect(await answersOf(role)).toEqual(before)
      await remove()
    })

    it('§5.8 learns nothing of hidden fields and relationships', async () => {
      await saveAgain('')
      const before = await answersOf(role)
      await saveAgain('merger vault safe')
      expect(await answersOf(role)).toEqual(before)
      await saveAgain('')
    })
  })
})

/** When something was saved is no secret, nor how many pages stand before one: ranks count them all. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  const known = ['updatedAt', 'lastPublishedAt', 'versionIds', 'requestId', 'rank']
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (known.includes(name) ? [] : [[name, strip(one)]])),
  )
}
