import { expect, it } from 'vitest'
import { callerOf, describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { createKey } from '../../engine/access/keys.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import type { Version } from '../../store/contract/store.ts'

const VERSIONS = '@cms/document-versions'

const site = defineSite({
  types: [
    piece('story', {
      fields: {
        add: {
          text: { type: 'string' },
          more: { type: 'string' },
          links: { type: 'array', fields: { add: { to: { type: 'string' }, by: { type: 'string' } } } },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
        },
      },
    }),
  ],
})

type Row = { readonly path: readonly { readonly name: string }[]; readonly kind: string; readonly ai: unknown }

describeService('§2.5 how AI took part in changes', { site, isLong: true }, (service) => {
  const make = async (fields: object = {}) => {
    const { body } = await service.editor.post('story', { title: 'Story', slug: newId(), ...fields }, 'aposMode=draft')
    return body.aposDocId as string
  }
  const byHand = (id: string, fields: object, caller = service.editor) => caller.patch(`story/${id}:en:draft`, fields)
  const byAi = (id: string, fields: object, caller = service.editor) => byHand(id, { ...fields, _ai: true }, caller)
  const publish = (id: string) => service.editor.post(`story/${id}:en:draft/publish`)
  const listed = async (id: string): Promise<{ _id: string }[]> =>
    (await service.editor.get(VERSIONS, `docId=${id}`)).body.results
  const changes = async (id: string, query = '', index = 0) => {
    const version = (await listed(id))[index]?._id
    return (await service.editor.get(`${VERSIONS}/${version}/changes`, query)).body
  }
  /** The mark of each row, by its path. */
  const marks = async (id: string, query = '', index = 0) => {
    const { rows, counts } = await changes(id, query, index)
    expect(counts.ai).toBe(rows.filter(({ ai }: Row) => ai !== false).length)
    return Object.fromEntries(
      rows.map(({ path, kind, ai }: Row) => [
        path.map(({ name }) => name).join('.') + (kind === 'array' || kind === 'area' ? '#' : ''),
        ai,
      ]),
    )
  }

  it('what a save by AI changed is `changed`; what nobody but people changed is not marked', async () => {
    const id = await make({ text: 'One' })
    await byAi(id, { text: 'Two', more: 'New' })
    expect(await marks(id)).toEqual({ text: 'changed', more: 'changed' })
    await byHand(id, { title: 'Other' })
    expect(await marks(id)).toEqual({ title: false })
  })

  it('what a person changed is `assisted` when AI changed the same in the entry just before', async () => {
    const id = await make({ text: 'One' })
    await byAi(id, { text: 'Two' })
    await byHand(id, { text: 'Three', more: 'New' })
    expect(await marks(id)).toEqual({ text: 'assisted', more: false })
    await byHand(id, { text: 'Four' })
    expect(await marks(id)).toEqual({ text: false })
  })

  it('what a first version that AI saved held is `assisted` however long ago', async () => {
    const id = await make({ _ai: true, text: 'One', links: [{ _id: 'l', to: 'there' }], body: '<p>One</p>' })
    await byHand(id, { title: 'Other', more: 'New' })
    await byHand(id, { text: 'Two', more: 'Newer', links: [{ _id: 'l', to: 'here', by: 'me' }], body: '' })
    const { body } = await service.editor.get(`story/${id}:en:draft`)
    expect(body.body.items).toEqual([])
    const found = await marks(id)
    expect(found).toMatchObject({ text: 'assisted', more: false, 'links.l.to': 'assisted', 'links.l.by': false })
    expect(Object.entries(found).find(([path]) => path.startsWith('body.'))?.[1]).toBe('assisted')
  })

  it('in a run the last save of each change counts, and AI before it', async () => {
    const id = await make({ text: 'One', title: 'One', more: 'One' })
    await publish(id)
    await byAi(id, { text: 'Two', more: 'Two' })
    await byHand(id, { text: 'Three', title: 'Three' })
    await byAi(id, { title: 'Four' })
    expect(await marks(id, 'consolidate=1')).toEqual({ title: 'changed', text: 'assisted', more: 'changed' })
    expect(await marks(id)).toEqual({ title: 'changed' })
    expect(await marks(id, '', 1)).toEqual({ title: false, text: 'assisted' })
  })

  it('in a run what holds a change, and what is in it, is the same change', async () => {
    const id = await make({
      links: [
        { _id: 'a', to: 'a' },
        { _id: 'b', to: 'b' },
      ],
    })
    await publish(id)
    const links = [
      { _id: 'a', to: 'a' },
      { _id: 'b', to: 'b' },
      { _id: 'c', to: 'c' },
    ]
    await byAi(id, { links })
    await byHand(id, { links: links.map((one) => (one._id === 'c' ? { ...one, to: 'd' } : one)) })
    await byHand(id, {
      links: [
        { _id: 'c', to: 'd' },
        { _id: 'b', to: 'b' },
      ],
    })
    expect(await marks(id, 'consolidate=1')).toEqual({ 'links.c': 'assisted', 'links.a': false })
    const swapped = [
      { _id: 'b', to: 'b' },
      { _id: 'c', to: 'd' },
    ]
    await byAi(id, { links: swapped })
    expect(await marks(id)).toEqual({ 'links#': 'changed' })
    await byHand(id, { links: swapped.toReversed() })
    expect(await marks(id)).toEqual({ 'links#': 'assisted' })
  })

  it('a run just before counts as one entry, only when runs are asked for', async () => {
    const id = await make({ text: 'One' })
    await publish(id)
    await byAi(id, { text: 'Two' })
    await byHand(id, { more: 'More' })
    await byHand(id, { text: 'Three' }, service.admin)
    await byAi(id, { more: 'Much more' }, service.admin)
    expect(await marks(id, 'consolidate=1')).toEqual({ text: 'assisted', more: 'changed' })
    expect(await marks(id, '', 1)).toEqual({ text: false })
  })

  it('between any two versions all saves between them count', async () => {
    const id = await make({ text: 'One', title: 'One', more: 'One' })
    await byAi(id, { text: 'Two' })
    await byHand(id, { text: 'Three', title: 'Two' }, service.admin)
    await byAi(id, { more: 'Two' }, service.contributor)
    const versions = await listed(id)
    expect(await marks(id, `against=${versions[3]?._id}`)).toEqual({ title: false, text: 'assisted', more: 'changed' })
    expect(await marks(id, `against=${versions[0]?._id}`, 3)).toEqual({ title: false, text: false, more: false })
  })

  it('§5.5 the key of an AI marks its saves, and writes drafts', async () => {
    const operator = service.app.context({ kind: 'operator' })
    const { key } = await createKey(operator, { name: 'machine', role: 'editor', ai: true })
    const machine = callerOf(service.address, key, null)
    const id = await make({ text: 'One' })
    expect(await machine.patch(`story/${id}:en:draft`, { text: 'Two', _ai: false })).toMatchObject({ status: 200 })
    expect(await marks(id)).toEqual({ text: 'changed' })
    await byHand(id, { text: 'Three' })
    expect(await marks(id)).toEqual({ text: 'assisted' })
    const { body } = await machine.post('story', { title: 'By the machine', text: 'One' }, 'aposMode=draft')
    await byHand(body.aposDocId, { text: 'Two' })
    expect(await marks(body.aposDocId)).toEqual({ text: 'assisted' })
    expect((await listed(body.aposDocId))[1]).toMatchObject({ ai: true, mode: 'draft', author: 'machine' })
  })

  it('between versions a thousand saves apart AI is named only where it took part', async () => {
    const id = await make({ text: 'Start', title: 'Start', more: 'Start' })
    const [first] = await listed(id)
    await service.app.store.transaction(async (tx) => {
      const rest = { docId: id, locale: 'en', type: 'story', mode: 'draft', updatedAt: null } as const
      const author = { author: 'A', authorId: 'a', restoredFrom: null, label: null, data: null }
      for (let index = 0; index < 1000; index += 1) {
        const createdAt = new Date(Date.now() + 1000 + index).toISOString()
        const version: Version = { ...rest, ...author, id: newId(), createdAt, ai: index === 7 }
        const content = {
          title: index < 8 ? 'Start' : `By hand ${index}`,
          text: index < 7 ? 'Start' : 'By AI',
          more: index < 900 ? 'Start' : 'Late',
        }
        await tx.versions.add(version, content)
      }
    })
    expect(await marks(id, `against=${first?._id}`)).toMatchObject({ title: false, text: 'changed', more: false })
  })

  it('a run of a thousand saves takes few statements', async () => {
    const id = await make({ text: 'Start', title: 'Start', more: 'Start' })
    await service.app.store.transaction(async (tx) => {
      const rest = { docId: id, locale: 'en', type: 'story', mode: 'draft', updatedAt: null } as const
      const author = { author: 'A', authorId: 'a', restoredFrom: null, label: null, data: null }
      for (let index = 0; index < 1000; index += 1) {
        const createdAt = new Date(Date.now() + 1000 + index).toISOString()
        const version: Version = { ...rest, ...author, id: newId(), createdAt, ai: index % 2 === 0 }
        const text = index < 3 ? `By AI ${index}` : 'By AI 2'
        await tx.versions.add(version, { title: index > 991 ? 'Late' : 'Start', text, more: `More ${index}` })
      }
    })
    await service.quiet()
    const before = service.statements.length
    expect(await marks(id, 'consolidate=1')).toMatchObject({ title: 'changed', text: 'assisted', more: 'assisted' })
    expect(service.statements.length - before).toBeLessThan(25)
  })
})
