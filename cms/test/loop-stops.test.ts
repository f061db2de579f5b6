import { beforeAll, expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site.ts'
import { piece } from '../src/model/declared/content-type.ts'
import { LONGEST_STOP, longestStop } from './longest-stop.ts'
import { describeService } from './service.ts'
import { send, type WireRequest } from './wire.ts'

const KEY = { authorization: 'ApiKey key-contributor', 'content-type': 'application/json' }

const site = defineSite({
  styles: { add: { words: { type: 'color', selector: 'p', property: 'color' } } },
  types: [
    piece('article', {
      fields: {
        add: {
          note: { type: 'string', textarea: true },
          links: { type: 'array', fields: { add: { label: { type: 'string' } } } },
          body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['bold', 'link', 'color'] } } },
          _others: { type: 'relationship', withType: 'article' },
        },
      },
    }),
  ],
})

/** Characters that look random. */
function randomText(length: number, seed: number): string {
  const characters = 'abcdefghij .,;klmnop qrstuv wxyz(){}-_/'
  let state = seed
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return characters[(state >> 8) % characters.length]
  }).join('')
}

const bodyOf = (texts: readonly string[]) => ({
  _id: 'area',
  metaType: 'area',
  items: texts.map((content, index) => ({ _id: `w${index}`, metaType: 'widget', type: '@cms/rich-text', content })),
})

const randomBody = (seed: number) =>
  bodyOf(Array.from({ length: 16 }, (_, index) => `<p>${randomText(15_000, seed + index)}</p>`))

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `Link ${index}` }))
const paragraphs = (count: number, seed: number) =>
  Array.from({ length: count }, (_, index) => `<p>${randomText(150, seed + index)}</p>`).join('')

describeService(
  '§0.5 no request of a contributor stops all others',
  { isLong: true, site, timeout: 300_000 },
  (service) => {
    let id = ''
    let versions: string[] = []

    const request = async (sent: WireRequest) => {
      const { status, text } = await send(service.address, { ...sent, headers: { ...KEY, ...sent.headers } })
      return { status, text: text.slice(0, 300) }
    }
    const patch = (body: object) => {
      const written = JSON.stringify(body)
      const path = `/api/v1/article/${id}:en:draft`
      return async () => expect(await request({ method: 'PATCH', path, body: written })).toMatchObject({ status: 200 })
    }
    const changes = `/api/v1/@cms/document-versions`

    beforeAll(async () => {
      const { body } = await service.contributor.post(
        'article',
        { title: 'Long', body: randomBody(1) },
        'aposMode=draft',
      )
      id = body.aposDocId
      await service.contributor.patch(`article/${id}:en:draft`, { body: randomBody(100), _explicitSave: true })
      await service.editor.patch(`article/${id}:en:draft`, { body: randomBody(200) })
      await service.ai.patch(`article/${id}:en:draft`, { body: bodyOf([paragraphs(3_000, 1)]) })
      await service.editor.patch(`article/${id}:en:draft`, { body: bodyOf([paragraphs(3_000, 900)]) })
      const listed = await service.contributor.get('@cms/document-versions', `docId=${id}:en:draft`)
      versions = listed.body.results.map(({ _id }: { _id: string }) => _id)
    })

    test.each([
      ['comparing 16 texts', 2, '/changes?'],
      ['marking 16 texts', 2, '?annotate=1&'],
      ['comparing a text of 3,000 paragraphs', 0, '/changes?'],
      ['marking a text of 3,000 paragraphs', 0, '?annotate=1&'],
      ['comparing a text with 16 others', 1, '/changes?'],
      ['listing all versions', null, `?`],
    ])('%s lets others run', async (_, at, query) => {
      expect(versions.length).toBeGreaterThan(3)
      const path = at === null ? `${changes}${query}docId=${id}:en:draft&` : `${changes}/${versions[at]}${query}`
      const stop = await longestStop(async (round) => {
        expect(await request({ method: 'GET', path: `${path}n=${round}` })).toMatchObject({ status: 200 })
      })
      expect(stop).toBeLessThan(LONGEST_STOP)
    })

    test.each([
      ['$addToSet of ten thousands', { $addToSet: { links: { $each: items(10_000) } } }],
      ['$pullAll of ten thousands', { $pullAll: { links: items(10_000) } }],
      ['100,000 & in rich text', { body: bodyOf([`<p>${'&'.repeat(100_000)}</p>`]) }],
      ['a text of 3,000 paragraphs', { body: bodyOf([paragraphs(3_000, 5)]) }],
      ['a text of a million characters', { note: 'word '.repeat(200_000) }],
      ['a text of 100,000 combining marks', { note: `a${'\u0301\u0323'.repeat(50_000)}` }],
      ['10,000 bold words', { body: bodyOf([`<p>${'<b>a</b> '.repeat(9_900)}</p>`]) }],
    ])('%s lets others run', async (_, body) => {
      const send = patch(body)
      const prepare = patch({ links: '$pullAll' in body ? items(10_000) : [], body: bodyOf([]), note: '' })
      const stop = await longestStop(send, prepare)
      expect(stop).toBeLessThan(LONGEST_STOP)
    })

    test.each<[string, (id: string) => object]>([
      ['of items by their ids', (id) => ({ [`@${id}.label`]: 'x' })],
      ['by $addToSet', () => ({ $addToSet: { links: { label: 'Link 1' } } })],
      ['by $pullAll', () => ({ $pullAll: { links: [{ label: 'none' }] } })],
      ['by $pullAllById', (id) => ({ $pullAllById: { links: [id] } })],
      ['by $push', () => ({ $push: { links: { label: 'x' } } })],
      ['by $move', (id) => ({ $move: { links: { $item: id, $before: '@first' } } })],
    ])('300 changes %s of a list of 9,500 let others run', async (_, make) => {
      const links = Array.from({ length: 9_500 }, (_, n) => ({ _id: `link${n}`, label: `Link ${n}` }))
      const text = JSON.stringify({ _patches: links.slice(-300).map(({ _id }) => make(_id)) })
      const body = JSON.parse(text.replaceAll('@first', 'link0'))
      const stop = await longestStop(patch(body), patch({ links, body: bodyOf([]), note: '' }))
      expect(stop).toBeLessThan(LONGEST_STOP)
    })

    test('§4.7 a preview of styles with long values lets others run', async () => {
      const data = {
        words: 'x'.repeat(900_000),
        ...Object.fromEntries(items(10_000).map(({ label }) => [label, label])),
      }
      const sent = { method: 'POST', path: '/api/v1/@cms/styles/render', body: JSON.stringify({ data }) }
      const stop = await longestStop(async () => {
        expect((await request({ ...sent, headers: { authorization: 'ApiKey key-editor' } })).status).toBe(400)
      })
      expect(stop).toBeLessThan(LONGEST_STOP)
    })

    test('§2.13 a rich text with more markup than that is refused', async () => {
      const refused = async (content: string) => {
        const body = JSON.stringify({ body: bodyOf([content]) })
        const answer = await request({ method: 'PATCH', path: `/api/v1/article/${id}:en:draft`, body })
        expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('20000 tags') })
      }
      const stop = await longestStop(async () => {
        await refused(`<p>${'&'.repeat(990_000)}</p>`)
        await refused(`<p>${'<b>a</b>'.repeat(100_000)}</p>`)
      })
      expect(stop).toBeLessThan(LONGEST_STOP)
    })
  },
)
