import { defineSite, page, piece, widget } from 'quire-cms'
import { beforeAll, expect, it } from 'vitest'
import { agentOf } from '../../../test/agent-caller.ts'
import { describeService } from '../../../test/service.ts'

const site = defineSite({
  types: [
    piece('story', {
      fields: {
        add: {
          lead: { type: 'string' },
          body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {}, rule: {} } },
          links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
        },
      },
    }),
    piece('vault', { viewRole: 'admin' }),
    piece('plain', { localized: false }),
    page('text', { fields: { add: { lead: { type: 'string' } } } }),
  ],
  widgets: [
    widget('quote', { fields: { add: { words: { type: 'string' } } } }),
    widget('rule', { fields: { add: { wide: { type: 'boolean' } } } }),
  ],
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
})

describeService('§4.10 what is not translated', { site }, (service) => {
  const call = agentOf(() => service.address, 'key-contributor')
  const missing = (given: object) => call('translate_missing', { toLocale: 'fr', ...given })
  let story: string
  let leaf: string
  beforeAll(async () => {
    const items = [
      { type: '@cms/rich-text', content: '<p>One</p>' },
      { type: 'quote', words: 'Two' },
      { type: 'rule', wide: true },
    ]
    const values = { title: 'Ink', lead: 'Slow', body: { items }, links: [{ label: 'Home' }] }
    story = (await service.editor.post('story', values)).body.aposDocId
    const place = { type: 'text', title: 'Press', lead: 'Read', _targetId: '_home', _position: 'lastChild' }
    leaf = (await service.editor.post('@cms/page', place)).body.aposDocId
    await service.admin.post('vault', { title: 'Hidden' })
    await service.editor.post('plain', { title: 'Plain' })
  })

  it('pages are listed beside pieces, and what the caller may not see is not', async () => {
    const all = await missing({})
    expect(all.text).toContain(`${story} story "Ink": not in fr`)
    expect(all.text).toContain(`${leaf} text "Press": not in fr`)
    expect(all.text).not.toMatch(/Hidden|Plain|vault/)
    const pages = await missing({ type: 'text' })
    expect([pages.data.total, pages.text.includes('Ink')]).toEqual([1, false])
    expect((await missing({ type: 'plain' })).data.total).toBe(0)
    expect((await missing({ type: 'vault' })).data.name).toBe('notfound')
    expect((await missing({ toLocale: 'xx' })).data.name).toBe('invalid')
    const admin = agentOf(() => service.address, 'key-admin')
    expect((await admin('translate_missing', { toLocale: 'fr' })).text).toContain('vault "Hidden"')
  })

  it('a page tells what it lacks, and leaves the list when it is there, until it is behind', async () => {
    const before = await missing({ id: leaf })
    expect(before.text).toContain('It is not in fr yet')
    expect(before.text).toContain('- lead (missing): "Read"')
    const made = await call('write_draft', { id: leaf, locale: 'fr', copyFrom: 'en', patch: { title: 'Presse' } })
    expect(made.isError).toBe(false)
    expect((await missing({ id: leaf })).text).toContain('- lead (not translated): "Read"')
    expect((await missing({ type: 'text' })).data.total).toBe(0)
    await service.editor.patch(`@cms/page/${leaf}`, { lead: 'Read on' })
    expect((await missing({ type: 'text' })).text).toContain(`${leaf} text "Press": behind in fr`)
  })

  it('blocks and items are named with the source of what is in them', async () => {
    await service.editor.post(`story/${story}/localize`, { toLocale: 'fr' })
    const { body } = await service.editor.get(`story/${story}:en:draft`)
    const [text, quote, rule] = body.body.items
    const [link] = body.links
    const same = await missing({ id: story })
    expect(same.text).toContain(`- body.${quote._id}.words (not translated): "Two"`)
    expect(same.text).not.toContain('block missing')
    await service.editor.patch(`story/${story}:fr:draft`, {
      $pullAllById: { 'body.items': [quote._id, rule._id], links: [link._id] },
    })
    const { text: lacking } = await missing({ id: story })
    expect(lacking).toContain(`- body.${quote._id} (block missing): quote`)
    expect(lacking).toContain(`- body.${quote._id}.words (missing): "Two"`)
    expect(lacking).toContain(`- body.${rule._id} (block missing): rule`)
    expect(lacking).toContain(`- links.${link._id} (block missing): item`)
    expect(lacking).not.toContain(`- body.${text._id} (`)
    expect(lacking.indexOf(`${text._id}.content`)).toBeLessThan(lacking.indexOf(`links.${link._id}`))
  })

  it('long answers go on by the cursor, which ends when the source changes', async () => {
    const items = Array.from({ length: 300 }, (_, n) => ({ type: 'quote', words: `${n} ${'word '.repeat(30)}` }))
    const id = (await service.editor.post('story', { title: 'Long', body: { items } })).body.aposDocId
    let found = ''
    for (let cursor: string | undefined, calls = 0; calls === 0 || cursor; calls += 1) {
      const { text, data } = await missing({ id, ...(cursor && { cursor }) })
      found += text
      cursor = data.cursor
      expect(calls).toBeLessThan(10)
    }
    for (let n = 0; n < 300; n += 1) expect(found).toContain(`"${n} word`)
    const { data } = await missing({ id })
    await service.editor.patch(`story/${id}`, { lead: 'New' })
    expect((await missing({ id, cursor: data.cursor })).data.errors).toMatchObject([{ path: 'cursor' }])
  })

  it('lists go on by the cursor', async () => {
    for (let n = 0; n < 55; n += 1) await service.editor.post('story', { title: `Story ${n}` })
    const first = await missing({ type: 'story' })
    const second = await missing({ type: 'story', cursor: first.data.cursor })
    expect([first.data.total > 55, second.data.cursor]).toEqual([true, undefined])
    const ids = [...`${first.text}\n${second.text}`.matchAll(/- (\w{26}) story/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(first.data.total)
    expect((await missing({ type: 'text', cursor: first.data.cursor })).data.errors).toMatchObject([{ path: 'cursor' }])
  })
})
