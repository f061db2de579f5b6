import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import { openValues } from '../../model/terms/document.ts'
import { archiveId, homeId, parkedDocId } from '../pages/parked.ts'
import { fixedId } from '../values/fixed-id.ts'
import { tryOut, write } from '../write.ts'
import { type IncomingDocument, importDocument, MissingParent } from './import-document.ts'

const site = defineSite({
  types: [
    piece('note', { fields: { add: { words: { type: 'string', max: 20 } } } }),
    piece('other'),
    piece('options', { singleton: true, fields: { add: { motto: { type: 'string' } } } }),
    page('leaf'),
    page('branch'),
  ],
  pages: { parked: [{ parkedId: 'news', type: 'leaf', title: 'News', slug: '/news', fixed: ['title', 'slug'] }] },
})

const author = { _id: 'ann', firstName: 'Ann', lastName: 'Lee', username: 'ann', title: 'Ann Lee' }
const origin = {
  createdAt: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-02-02T00:00:00.000Z',
  updatedBy: author,
  lastPublishedAt: '2020-03-03T00:00:00.000Z',
  wasPublished: true,
}

describeService('§10.4 a document that is imported', { site, isLong: true }, (service) => {
  const operator = () => service.app.context({ kind: 'operator' })
  interface Import extends Partial<Omit<IncomingDocument, 'type' | 'copies'>> {
    readonly draft?: JsonObject
    readonly published?: JsonObject
    readonly update?: boolean
    readonly takenSlug?: 'number' | 'refuse'
  }
  const incoming = (name: string, { draft, published: live, docId = newId(), ...given }: Import): IncomingDocument => {
    const type = service.app.site.types.get(name)
    if (type === undefined) throw new Error(`The site has no ${name}.`)
    const copies = {
      ...(draft && { draft: { ...origin, fields: draft } }),
      ...(live && { published: { ...origin, fields: live } }),
    }
    return { type, docId, locale: 'en', copies, parent: homeId, formerUrls: [], ...given }
  }
  const put = (name: string, given: Import) => {
    const { update = false, takenSlug = 'refuse', ...more } = given
    const mode = { update, takenSlug, dryRun: false }
    return write(operator(), (ctx) => importDocument(ctx, incoming(name, more), mode))
  }
  const stored = async (docId: string) => {
    const { draft, published } = await service.app.store.documents.copies(docId, 'en')
    return { draft, published, fields: [draft, published].map((copy) => copy && openValues(copy)) }
  }
  const formerUrls = async (docId: string) => (await service.app.store.tree.formerUrls('en', [docId])).get(docId) ?? []
  const archivedIn = async (docId: string) => (await stored(docId)).fields.map((fields) => fields?.archived)

  it('has the times and the author of each copy, and one version', async () => {
    const docId = newId()
    const copies = { draft: { title: 'A draft', slug: 'a' }, published: { title: 'Live', slug: 'a' } }
    const answer = await put('note', { docId, ...copies })
    expect(answer).toEqual({ outcome: 'added', dropped: [], lost: [], otherSlugs: [] })
    const { draft, published } = await stored(docId)
    expect(draft).toMatchObject({ ...origin, fields: copies.draft })
    expect(published).toMatchObject({ ...origin, fields: copies.published })
    expect(await service.app.store.versions.list({ docId, locale: 'en' }, { limit: 9 })).toHaveLength(1)
  })

  it('is left as it is where it is there already, but for an update, which is a save of now', async () => {
    const docId = newId()
    const first = { title: 'First', slug: 'first' }
    await put('note', { docId, draft: first })
    expect(await put('note', { docId, draft: { ...first, title: 'Second' } })).toMatchObject({ outcome: 'unchanged' })
    expect((await stored(docId)).fields).toMatchObject([first, null])
    expect(await put('note', { docId, draft: first, update: true })).toMatchObject({ outcome: 'unchanged' })
    const second = { docId, draft: { ...first, title: 'Second' }, update: true }
    expect(await put('note', second)).toMatchObject({ outcome: 'changed' })
    const { draft } = await stored(docId)
    expect(draft).toMatchObject({ createdAt: origin.createdAt, fields: { title: 'Second' } })
    expect([draft?.updatedAt === origin.updatedAt, draft?.updatedBy.title === author.title]).toEqual([false, false])
    const live = { docId, published: { ...first, title: 'Second' }, update: true }
    expect(await put('note', live)).toMatchObject({ outcome: 'changed' })
    expect((await stored(docId)).published?.fields).toMatchObject({ title: 'Second' })
  })

  it('is refused where a piece of another type has its id; a page changes its type', async () => {
    const [docId, pageId] = [newId(), newId()]
    await put('note', { docId, draft: { title: 'Note', slug: 'of-note' } })
    const other = { docId, draft: { title: 'Other', slug: 'other' }, update: true }
    await expect(put('other', other)).rejects.toMatchObject({ name: 'conflict' })
    const live = { docId: pageId, published: { title: 'Page', slug: '/turns' } }
    await put('leaf', { ...live, draft: live.published })
    expect(await put('branch', { ...live, draft: live.published, update: true })).toMatchObject({ outcome: 'changed' })
    expect(await stored(pageId)).toMatchObject({ draft: { type: 'branch' }, published: { type: 'branch' } })
  })

  it('fills a singleton that nobody has saved, and leaves one that somebody has', async () => {
    const docId = fixedId('options')
    const given = (motto: string) => {
      const fields = { title: 'Options', slug: 'options', motto }
      return { docId, draft: fields, published: fields }
    }
    expect(await put('options', given('First'))).toMatchObject({ outcome: 'changed' })
    expect((await stored(docId)).published).toMatchObject({ ...origin, fields: { motto: 'First' } })
    expect(await put('options', given('Second'))).toMatchObject({ outcome: 'unchanged' })
    expect((await stored(docId)).published?.fields).toMatchObject({ motto: 'First' })
  })

  it('keeps what the site fixes of a built-in page, and tells what it has otherwise', async () => {
    const docId = parkedDocId('news')
    const fields = { title: 'Our news', slug: '/news', visibility: 'loginRequired' }
    const { outcome, dropped } = await put('leaf', { docId, draft: fields, published: fields })
    expect([outcome, dropped.map(({ path, value }) => [path, value])]).toEqual([
      'changed',
      [
        ['title', 'Our news'],
        ['title', 'Our news'],
      ],
    ])
    const kept = { title: 'News', slug: '/news', visibility: 'loginRequired' }
    expect((await stored(docId)).fields).toMatchObject([kept, kept])
  })

  it('leaves out and tells of values that do not fit, and of slugs that were taken', async () => {
    const docId = newId()
    await put('note', { draft: { title: 'Taken', slug: 'taken' } })
    const draft = { title: 'Long', slug: 'taken', words: 'far more than twenty letters' }
    await expect(put('note', { docId, draft })).rejects.toMatchObject({ name: 'conflict' })
    expect(await put('note', { docId, draft, takenSlug: 'number' })).toMatchObject({
      outcome: 'added',
      dropped: [{ path: 'words', value: draft.words }],
      lost: [],
      otherSlugs: [{ path: 'slug', value: 'taken', now: 'taken-2' }],
    })
    const unknown = { docId: newId(), draft: { title: 'Unknown', slug: 'unknown', colour: 'red' } }
    expect(await put('note', unknown)).toMatchObject({ lost: [{ path: 'colour', value: 'red' }], otherSlugs: [] })
  })

  it('is archived in both copies, or in none, as its published copy was', async () => {
    for (const archived of [true, false]) {
      const docId = newId()
      const fields = { title: 'State', slug: `state-${archived}` }
      const { dropped } = await put('note', {
        docId,
        draft: { ...fields, archived: !archived },
        published: { ...fields, archived },
      })
      expect(dropped).toMatchObject([{ path: 'archived', value: !archived }])
      expect(await archivedIn(docId)).toEqual([archived, archived])
      const draftId = newId()
      const alone = { title: 'Alone', slug: `alone-${archived}`, archived }
      expect(await put('note', { docId: draftId, draft: alone })).toMatchObject({ dropped: [] })
      expect(await archivedIn(draftId)).toEqual([archived, undefined])
    }
  })

  it('stands below its parent, after the pages there, and is archived where that is in the archive', async () => {
    const [parent, first, second, old] = [newId(), newId(), newId(), newId()]
    const both = (title: string, slug: string, more = {}) => {
      const fields = { title, slug, ...more }
      return { draft: fields, published: fields }
    }
    await put('leaf', { docId: parent, ...both('Parent', '/parent') })
    await put('leaf', { docId: first, parent, ...both('First', '/parent/first') })
    await put('leaf', { docId: second, parent, ...both('Second', '/parent/second') })
    const children = (await service.admin.get(`@cms/page/${parent}`)).body._children
    expect(children.map(({ title, rank }: { title: string; rank: number }) => [title, rank])).toEqual([
      ['First', 0],
      ['Second', 1],
    ])
    const { dropped } = await put('leaf', { docId: old, parent: archiveId, ...both('Old', '/old') })
    expect(dropped).toMatchObject([{ path: 'archived', value: false }])
    expect(await archivedIn(old)).toEqual([true, true])
    const gone = { docId: first, ...both('First', '/parent/first', { archived: true }), update: true }
    expect((await put('leaf', gone)).dropped).toMatchObject([{ path: 'archived', value: true }])
    expect(await archivedIn(first)).toEqual([false, false])
  })

  it('is refused without its parent; a dry run goes by what the import will have made', async () => {
    const orphan = incoming('leaf', { parent: 'absent', draft: { title: 'Orphan', slug: '/orphan' } })
    const documents = new Map([['absent', 'leaf']])
    const expected = { documents, attachments: new Set<string>() }
    const tried = (dryRun: boolean, given: object) =>
      tryOut(operator(), (ctx) =>
        importDocument({ ...ctx, ...given }, orphan, { update: false, takenSlug: 'refuse', dryRun }),
      )
    expect(await tried(true, { expected })).toMatchObject({ outcome: 'added', dropped: [] })
    for (const [dryRun, given] of [
      [false, { expected }],
      [true, { expected: { ...expected, documents: new Map() } }],
      [true, {}],
    ] as const) {
      await expect(tried(dryRun, given)).rejects.toThrow(MissingParent)
    }
  })

  it('has its former URLs; where it is published and not archived, its slug leads to no other page any more', async () => {
    const [holder, draft, old, live] = [newId(), newId(), newId(), newId()]
    const at = (slug: string) => ({ title: 'A page', slug })
    const former = ['/was/one', '/was/two', '/was/three']
    await put('leaf', { docId: holder, published: at('/holder'), draft: at('/holder'), formerUrls: former })
    expect((await formerUrls(holder)).toSorted()).toEqual(former.toSorted())
    await put('leaf', { docId: draft, draft: at('/was/one') })
    await put('leaf', { docId: old, parent: archiveId, draft: at('/was/two'), published: at('/was/two') })
    expect(await formerUrls(holder)).toHaveLength(3)
    await put('leaf', { docId: live, draft: at('/was/three'), published: at('/was/three') })
    expect((await formerUrls(holder)).toSorted()).toEqual(['/was/one', '/was/two'])
    const moved = { docId: live, draft: at('/now'), published: at('/now'), update: true }
    await put('leaf', moved)
    expect(await formerUrls(live)).toEqual(['/was/three'])
  })
})
