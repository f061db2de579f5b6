import fc from 'fast-check'
import { finish } from 'quire-diff'
import { describe, expect, test } from 'vitest'
import { changeRow, names } from '../../../test/changes.ts'
import { fuzzing } from '../../../test/sample.ts'
import type { JsonObject } from '../../base/json.ts'
import { compareContents } from '../../model/changes/compare-contents.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { type ContentType, piece, widget } from '../../model/declared/content-type.ts'
import type { Actor } from '../permissions.ts'
import { seenContent } from './seen-content.ts'

const open = { type: 'string' } as const
const hidden = { type: 'string', viewPermission: 'admin' } as const
const hiddenNumber = { type: 'integer', viewPermission: 'admin' } as const
const both = { add: { open, hidden } }
const site = compileSite(
  defineSite({
    types: [
      piece('secret', { viewRole: 'admin' }),
      piece('person'),
      piece('note', {
        fields: {
          add: {
            open,
            hidden,
            hiddenNumber,
            seo: { type: 'object', fields: both },
            vault: { type: 'object', fields: both, viewPermission: 'admin' },
            steps: { type: 'array', fields: both, titleField: 'hidden' },
            body: { type: 'area', widgets: { quote: {} } },
            _people: { type: 'relationship', withType: 'person', fields: both },
            _secrets: { type: 'relationship', withType: 'secret' },
          },
        },
      }),
    ] as ContentType[],
    widgets: [widget('quote', { fields: both, titleField: 'hidden' }), widget('stray', { fields: both })],
  }),
)
const as = (role: 'contributor' | 'admin'): { site: typeof site; actor: Actor } => ({
  site,
  actor: {
    kind: 'key',
    id: 'k1',
    role,
    name: 'Key',
    username: null,
    firstName: '',
    lastName: '',
    ai: false,
    draftsOnly: false,
  },
})

function rows(role: 'contributor' | 'admin', older: JsonObject, newer: JsonObject) {
  const [before, after] = [older, newer].map((fields) => seenContent(as(role), 'note', fields))
  if (!before || !after) throw new Error('The type is declared above.')
  return finish(compareContents(site, before, after)).map((change) => changeRow(change, names))
}

const word = fc.constantFrom('SECRET one', 'SECRET two', '')
const ids = fc.uniqueArray(fc.constantFrom('i1', 'i2', 'i3'))
/** A document of which everything that a contributor may not see says so, and depends on this one word alone. */
const documents = fc.tuple(fc.constantFrom('one', 'two', ''), word, ids).map(([openText, secret, found]) => {
  const holder = { open: openText, hidden: secret }
  const aside = (type: string, more: JsonObject) => ({
    type,
    secret: false,
    audience: null,
    values: { x: secret },
    ...more,
  })
  const items = found.map((_id) => ({ _id, ...holder }))
  const widgets = items.map((item) => ({ ...item, metaType: 'widget', type: item._id === 'i3' ? 'stray' : 'quote' }))
  const document: JsonObject = {
    ...holder,
    hiddenNumber: secret.length,
    visibility: openText === '' ? 'public' : 'loginRequired',
    archived: openText === 'two',
    seo: { _id: 'o', metaType: 'object', ...holder },
    vault: { _id: 'v', metaType: 'object', open: secret, hidden: secret },
    steps: items.map((item) => ({ ...item, metaType: 'arrayItem' })),
    body: { _id: 'a', metaType: 'area', items: widgets },
    peopleIds: found,
    peopleFields: Object.fromEntries(found.map((id) => [id, holder])),
    secretsIds: [secret.length > 0 ? 'SECRET-id' : 'SECRET-other'],
    _aside: { hidden: aside('array', {}), vault: aside('string', {}) },
  }
  return { document, secret }
})

describe('§5.7 changes are shown as far as the caller may know them', () => {
  test('what is hidden now appears in no change, at any depth, and makes none', () => {
    fc.assert(
      fc.property(documents, documents, word, (older, newer, other) => {
        const found = rows('contributor', older.document, newer.document)
        expect(JSON.stringify(found)).not.toMatch(/SECRET|_aside|_digest|hidden|vault|visibility|archived/i)
        const say = ({ document, secret }: typeof older) =>
          JSON.parse(JSON.stringify(document).replaceAll(JSON.stringify(secret), JSON.stringify(other)))
        if (newer.secret !== '') expect(rows('contributor', older.document, say(newer))).toEqual(found)
      }),
      fuzzing(500),
    )
  })

  test('callers who may see everything see it', () => {
    const vault = (text: string) => ({
      vault: { _id: 'v', metaType: 'object', open: text },
      hidden: text,
      secretsIds: [text],
    })
    expect(rows('admin', vault('one'), vault('two')).map(({ path }) => path.map(({ name }) => name).join('.'))).toEqual(
      ['hidden', 'vault.open', '_secrets'],
    )
  })

  const aside = (more: JsonObject) => ({
    _aside: { open: { type: 'date', secret: false, audience: null, values: { open: 'WAS' }, ...more } },
  })

  test('values set aside are shown to callers who might see them then and now; to others only as changed', () => {
    const now = { open: 'Now' }
    for (const role of ['contributor', 'admin'] as const) {
      expect(rows(role, aside({}), now)).toMatchObject([
        { type: 'modified', oldText: 'WAS', newText: 'Now', new: 'Now' },
      ])
      const untold = { path: [{ name: 'open', label: 'Open' }], type: 'modified', oldText: '', newText: '' }
      for (const more of [{ secret: true }, { holdsHidden: true }]) {
        const found = rows(role, aside(more), now)
        expect(found).toMatchObject([untold])
        expect(Object.keys(found[0] ?? {})).toEqual(['path', 'type', 'kind', 'fieldType', 'oldText', 'newText', 'ai'])
      }
    }
    expect(rows('contributor', aside({ audience: 'admin' }), now)).toMatchObject([{ oldText: '', newText: '' }])
    expect(rows('admin', aside({ audience: 'admin' }), now)).toMatchObject([{ oldText: 'WAS' }])
    expect(rows('contributor', aside({ audience: 'admin' }), aside({ audience: 'admin' }))).toEqual([])
  })

  test('a widget that is not allowed here is shown while it is declared as it was; else only as changed', () => {
    const area = (values: JsonObject) => ({
      body: { _id: 'a', metaType: 'area', items: [{ _id: 'w', metaType: 'widget', ...values }] },
    })
    const stray = (open: string | number, hidden = '') => area({ type: 'stray', open, hidden })
    expect(rows('contributor', stray('one', 'x'), stray('two', 'y'))).toMatchObject([
      { oldText: 'one', newText: 'two' },
    ])
    expect(rows('contributor', stray('one', 'x'), stray('one', 'y'))).toEqual([])
    const declaredOtherwise = rows('contributor', stray(7), stray('two'))
    expect(declaredOtherwise).toMatchObject([{ kind: 'widget', type: 'modified', oldText: 'Stray', newText: 'Stray' }])
    const unknown = (open: string) => area({ type: 'unheard-of', open })
    const found = rows('contributor', unknown('SECRET one'), unknown('SECRET two'))
    expect(found).toMatchObject([
      { kind: 'widget', type: 'modified', path: [{}, { label: 'Unheard of', widgetType: 'unheard-of' }] },
    ])
    expect(JSON.stringify(found)).not.toMatch(/SECRET|_digest/)
    expect(rows('contributor', unknown('SECRET one'), unknown('SECRET one'))).toEqual([])
    expect(JSON.stringify(rows('contributor', unknown('SECRET one'), {}))).not.toMatch(/SECRET|_digest/)
  })

  test('a type that is gone, or that the caller may not see, tells nothing', () => {
    expect(seenContent(as('contributor'), 'secret', { title: 'x' })).toBeNull()
    expect(seenContent(as('admin'), 'unheard-of', { title: 'x' })).toBeNull()
  })
})
