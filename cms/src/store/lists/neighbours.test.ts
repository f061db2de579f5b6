import { beforeAll, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import type { Sort, View } from '../terms/document-query.ts'

const view: View = { type: 'article', locale: 'en', mode: 'published', archived: false, visibility: 'public' }

describeService('the neighbours of a document', {}, (service) => {
  beforeAll(async () => {
    const ratings = [3, null, 1, 3, 3, 2, null, 1, 5, 3, null, 4]
    for (const [at, rating] of ratings.entries()) {
      const count = at % 3
      const visibility = at === 4 ? 'loginRequired' : 'public'
      await service.admin.post('article', {
        title: `T${at % 4}`,
        rating,
        count,
        visibility,
        level: at % 2 ? 'low' : 'high',
      })
    }
  })

  it.each<readonly [string, readonly Sort[]]>([
    ['no order', []],
    ['a column', [{ by: 'column', column: 'title', direction: 1 }]],
    ['a column, backwards', [{ by: 'column', column: 'createdAt', direction: -1 }]],
    ['a field with gaps', [{ by: 'field', name: 'rating', value: 'number', direction: 1 }]],
    ['a field with gaps, backwards', [{ by: 'field', name: 'rating', value: 'number', direction: -1 }]],
    ['a text', [{ by: 'field', name: 'level', value: 'text', direction: -1 }]],
    [
      'two fields',
      [
        { by: 'field', name: 'rating', value: 'number', direction: -1 },
        { by: 'field', name: 'count', value: 'number', direction: 1 },
      ],
    ],
    [
      'a column and a field with gaps',
      [
        { by: 'column', column: 'title', direction: -1 },
        { by: 'field', name: 'rating', value: 'number', direction: 1 },
      ],
    ],
  ])('§4.2b are those next to it in the list, in the order of %s', async (_, sort) => {
    const { documents } = service.app.store
    const list = await documents.find({ ...view, conditions: [], sort, offset: 0, limit: 100 })
    const ids = list.documents.map(({ id }) => id.docId)
    expect(ids).toHaveLength(11)
    for (const [at, docId] of ids.entries()) {
      const { previous, next } = await documents.neighbours(view, sort, docId)
      expect({ at, previous: previous?.id.docId, next: next?.id.docId }).toEqual({
        at,
        previous: ids[at - 1],
        next: ids[at + 1],
      })
    }
  })
})
