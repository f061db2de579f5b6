import { describe, expect, test } from 'vitest'
import {
  type FromEditor,
  type FromPage,
  type Mark,
  markKey,
  newToken,
  readFromEditor,
  readFromPage,
  sent,
  tokenIn,
  withToken,
} from './protocol.ts'

const TOKEN = 'a0'.repeat(16)
const MARKS: readonly Mark[] = [
  { kind: 'widget', docId: 'd:en:draft', widgetId: 'w' },
  { kind: 'area', docId: 'd:en:draft', areaId: 'a', fieldId: 'doc.leaf.body' },
  { kind: 'field', docId: 'd:en:draft', path: '@w.words' },
]
const [mark = MARKS[0] as Mark] = MARKS
const words = { edit: 'Edit', add: 'Add', up: 'Up', down: 'Down', remove: 'Remove' }

const FROM_PAGE: readonly FromPage[] = [
  { kind: 'ready', canRefresh: true },
  ...MARKS.map((mark) => ({ kind: 'select', mark }) as const),
  ...(['add', 'up', 'down', 'remove'] as const).map((wish) => ({ kind: 'ask', mark, wish }) as const),
  { kind: 'leave' },
  { kind: 'failed' },
]
const FROM_EDITOR: readonly FromEditor[] = [
  { kind: 'start', words, labels: { w: 'Quotation' } },
  { kind: 'show', mark },
  { kind: 'show', mark: null },
  { kind: 'refresh', html: '<main></main>' },
  { kind: 'widget', widgetId: 'w', html: '<q></q>' },
  { kind: 'styles', css: 'a{color:red}', classes: ['is-wide'], replaced: [] },
]

describe('§11.5 what the page and the editor tell each other', () => {
  test('is read as it was sent', () => {
    for (const message of FROM_PAGE) expect(readFromPage(sent(message, TOKEN), TOKEN)).toEqual(message)
    for (const message of FROM_EDITOR) expect(readFromEditor(sent(message, TOKEN), TOKEN)).toMatchObject(message)
  })

  test('counts with the token of the frame alone', () => {
    const other = 'b1'.repeat(16)
    for (const message of FROM_PAGE) expect(readFromPage(sent(message, other), TOKEN)).toBeNull()
    for (const message of FROM_EDITOR) expect(readFromEditor(sent(message, other), TOKEN)).toBeNull()
    for (const data of [null, undefined, 7, 'ready', [], {}, { kind: 'ready', token: TOKEN }])
      expect([readFromPage(data, TOKEN), readFromEditor(data, TOKEN)]).toEqual([null, null])
  })

  test('brings the editor nothing but marks and wishes, whatever a page adds', () => {
    const more = { html: '<b>', patch: { title: 'New' }, url: '/', values: {}, toString: 'x' }
    for (const message of FROM_PAGE) {
      const given =
        'mark' in message ? { ...message, ...more, mark: { ...message.mark, ...more } } : { ...message, ...more }
      expect(readFromPage(sent(given, TOKEN), TOKEN)).toEqual(message)
    }
  })

  test.each<unknown>([
    { kind: 'save' },
    { kind: 'ask', mark, wish: 'publish' },
    { kind: 'ask', mark },
    { kind: 'ask', wish: 'remove' },
    { kind: 'select', mark: null },
    { kind: 'select', mark: { kind: 'widget', docId: 'd' } },
    { kind: 'select', mark: { kind: 'widget', docId: 'd', widgetId: 7 } },
    { kind: 'select', mark: { kind: 'widget', docId: '', widgetId: 'w' } },
    { kind: 'select', mark: { kind: 'field', docId: 'd', path: 'a b' } },
    { kind: 'select', mark: { kind: 'field', docId: 'd', path: 'x'.repeat(301) } },
    { kind: 'select', mark: { kind: 'all', docId: 'd', path: 'x' } },
    { kind: 'select', mark: ['widget', 'd', 'w'] },
  ])('a page cannot send %j', (message) => {
    expect(readFromPage({ ...(message as object), quire: 1, token: TOKEN }, TOKEN)).toBeNull()
  })

  test('each frame has a token of its own, behind #, in place of what stands there', () => {
    const token = newToken((bytes) => bytes.fill(10))
    expect(token).toBe('0a'.repeat(16))
    expect(withToken('https://www.example.org/a?b#c', token)).toBe(`https://www.example.org/a?b#quire=${token}`)
    expect(tokenIn(new URL(withToken('/a', token), 'https://a.example').hash)).toBe(token)
    for (const hash of ['', '#', '#quire=', `#quire=${token}x`, `#x&quire=${token}`, `#quire=${token.slice(1)}`])
      expect(tokenIn(hash)).toBeNull()
  })

  test('marks have keys of their own', () => {
    expect(MARKS.map(markKey)).toEqual(['w', 'a', 'd:en:draft @w.words'])
  })
})
