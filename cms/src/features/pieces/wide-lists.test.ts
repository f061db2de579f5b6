import { beforeAll, expect, it } from 'vitest'
import { sample } from '../../../test/sample.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const note = piece('note', {
  publicApiProjection: ['title', 'text'],
  fields: { add: { text: { type: 'string' }, number: { type: 'integer' } } },
})
/** Together a little longer than one answer may be. */
const NOTES = 40
const text = 'x'.repeat(500_000)

describeService('§4.1 lists of long documents', { site: defineSite({ types: [note] }), isLong: true }, (service) => {
  const ids: string[] = []

  beforeAll(async () => {
    for (let n = 0; n < NOTES; n += 1) {
      const { body } = await service.editor.post('note', { title: `Note ${n}`, number: n, text })
      ids.push(body.aposDocId)
    }
  })

  it.each(sample(['', 'sort[number]=1', 'search=note', 'archived=any'], 2))(
    'a page that is too long is refused: %s',
    async (query) => {
      const refused = await service.editor.get('note', `perPage=${NOTES}&${query}`)
      expect(refused).toMatchObject({ status: 400, body: { name: 'invalid' } })
      expect(refused.body.message).toContain('perPage')
      const { status, body } = await service.editor.get('note', `perPage=${NOTES / 2}&page=2&${query}`)
      expect({ status, total: body.total, found: body.results.length }).toEqual({
        status: 200,
        total: NOTES,
        found: NOTES / 2,
      })
    },
  )

  it('of many ids, only the documents of the page are read', async () => {
    const asked = ids
      .toReversed()
      .map((id) => `_ids[]=${id}`)
      .join('&')
    expect((await service.editor.get('note', `perPage=${NOTES}&${asked}`)).status).toBe(400)
    const { status, body } = await service.editor.get('note', `perPage=3&page=2&_ids[]=none&${asked}`)
    expect({ status, total: body.total }).toEqual({ status: 200, total: NOTES })
    expect(body.results.map(({ number }: { number: number }) => number)).toEqual([36, 35, 34])
  })
})
