import { beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/engine/context.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { defineSite, page, piece } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { type Answer, describeService } from './service.ts'

// No refusal names a field that its reader does not see (§5.8), whoever has met it.

const fields = {
  code: { type: 'string', unique: true, viewPermission: 'admin' },
  open: { type: 'string' },
  hidden: { type: 'string', required: true, viewPermission: 'admin' },
  rows: { type: 'array', fields: { add: { hidden: { type: 'string', required: true, viewPermission: 'admin' } } } },
} as const
const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('note', { scheduling: true, fields: { add: { ...fields, needed: { type: 'string', required: true } } } }),
    page('leaf', { scheduling: true, fields: { add: fields } }),
    piece('item', { fields: { add: { code: fields.code } } }),
  ],
})

describeService('§5.8 refusals', { site, on: sampledDatabases('hidden refusals') }, (service) => {
  const done = ({ status, body }: Answer): Answer['body'] => {
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }

  const drafts: { [path: string]: string } = {}
  beforeAll(async () => {
    const publishAt = '2026-01-01T00:00:00Z'
    const lacking = { title: 'Lacks', _incomplete: true, publishAt, rows: [{ hidden: '' }] }
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    for (const [path, more] of Object.entries({ note: {}, '@cms/page': place })) {
      drafts[path] = done(await service.admin.post(path, { ...lacking, ...more }, 'aposMode=draft'))._id
    }
    const ctx: Context = service.app.context({ kind: 'operator' })
    await carryOutDue(ctx, new AbortController().signal)
  })

  test.each<[string, () => Promise<Answer>]>([
    ['a draft', () => service.contributor.get(`note/${drafts.note}`)],
    ['a list', () => service.contributor.get('note', 'aposMode=draft')],
    ['several types', () => service.contributor.get('@cms/documents', 'scheduleError=true')],
    ['a page', () => service.contributor.get(`@cms/page/${drafts['@cms/page']}`)],
    ['all pages', () => service.contributor.get('@cms/page', 'all=1&aposMode=draft')],
  ])('§3.9 of a schedule name no hidden fields in %s', async (_name, read) => {
    const text = JSON.stringify(done(await read()))
    expect(text).not.toMatch(/hidden|code/)
  })

  test('§3.9 of a schedule name the fields that all readers see', async () => {
    const { scheduleError } = done(await service.contributor.get(`note/${drafts.note}`))
    expect(scheduleError).toMatchObject({ action: 'publish', message: 'Some fields need your attention: needed.' })
    const ofPage = done(await service.contributor.get(`@cms/page/${drafts['@cms/page']}`)).scheduleError
    expect(ofPage.message).toContain('Fields that you do not see')
  })

  /** A draft that cannot be published: another document has published its code, and has another one in its draft. */
  async function taken(code: string): Promise<string> {
    const { aposDocId: first } = done(await service.admin.post('item', { title: 'First', code }))
    done(await service.admin.patch(`item/${first}:en:draft`, { code: `${code} later` }))
    return done(await service.admin.post('item', { title: 'Second', code }, 'aposMode=draft')).aposDocId
  }

  test.each<[string, (id: string) => Promise<Answer>]>([
    ['publishing', (id) => service.editor.post(`item/${id}/publish`)],
    ['publishing many', (id) => service.editor.post('item/publish', { _ids: [id] })],
    [
      'publishing several together',
      async (id) => service.editor.post('item/publish', { _ids: [id, await taken(`other than ${id}`)] }),
    ],
    [
      'publishing along',
      async (id) => {
        const { aposDocId } = done(await service.editor.post('item', { title: 'Third' }, 'aposMode=draft'))
        return service.editor.post(`item/${aposDocId}/publish`, { alsoPublish: [id, await taken(`along with ${id}`)] })
      },
    ],
  ])('§5.8 of %s name no hidden field whose value is taken', async (name, go) => {
    const { status, body } = await go(await taken(name))
    expect(status === 409 || body.results[0].ok === false).toBe(true)
    expect(JSON.stringify(body)).toContain('Fields that you do not see')
    expect(JSON.stringify(body)).not.toContain('code')
  })

  test('§5.8 name the field to who sees it', async () => {
    const answer = await service.admin.post(`item/${await taken('seen')}/publish`)
    expect(answer).toMatchObject({ status: 409, body: { data: { errors: [{ path: 'code', name: 'unique' }] } } })
  })
})
