import { gzipSync } from 'node:zlib'
import type { FieldInfo, Reason, Schema, TypeInfo, WidgetInfo } from 'quire-client'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeUser, tokenOf } from '../../../test/people.ts'
import { type Caller, callerOf, describeService } from '../../../test/service.ts'
import { compileSite } from '../../model/compile/site.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { defineFieldType, field, page, piece, query, widget } from '../../model/declared/content-type.ts'
import type { DeclaredFields } from '../../model/declared/declared-fields.ts'
import { fieldTypes } from '../../model/fields/index.ts'
import { describeSchema } from './describe-schema.ts'

const schemaFor = async (caller: Caller): Promise<Schema> => (await caller.get('@cms/schema')).body

function* allFields(fields: readonly FieldInfo[] = []): Generator<FieldInfo> {
  for (const one of fields) {
    yield one
    yield* allFields(one.fields)
  }
}

describeService('§5.11 the schema of the reference site', {}, (service) => {
  it('§5.11 is for known callers, each of whom is named', async () => {
    expect((await service.anonymous.get('@cms/schema')).status).toBe(401)
    expect((await service.wrong.get('@cms/schema')).status).toBe(401)
    for (const role of ['guest', 'contributor', 'editor', 'admin'] as const) {
      expect((await schemaFor(service[role])).caller).toMatchObject({ title: `${role} key`, role })
    }
    await makeUser(service.app, 'ada', { role: 'editor', firstName: 'Ada', lastName: 'Young' })
    const token = await tokenOf(service.address, 'ada')
    const ada = callerOf(service.address, null, null, { authorization: `Bearer ${token}` })
    const { caller } = await schemaFor(ada)
    expect(caller).toMatchObject({ title: 'Ada Young', role: 'editor' })
    expect(caller._id).toBe((await ada.get('@cms/login/whoami')).body._id)
  })

  it('§5.11 is revalidated by its caller alone', async () => {
    const { headers } = await service.editor.get('@cms/schema')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toContain('Authorization, Cookie')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await service.editor.get('@cms/schema', '', known)).status).toBe(304)
    expect((await service.admin.get('@cms/schema', '', known)).status).toBe(200)
    await service.admin.post('topic', { title: 'Content changes nothing' })
    expect((await service.editor.get('@cms/schema', '', known)).status).toBe(304)
  })

  it('§2.16 has every field type with its options', async () => {
    const { types, widgets } = await schemaFor(service.admin)
    const everything = [...Object.values(types), ...Object.values(widgets)]
    const fields = everything.flatMap((one) => [
      ...allFields(one.fields),
      ...allFields('styles' in one ? one.styles : []),
    ])
    expect([...new Set(fields.map(({ type }) => type))].toSorted()).toEqual([...fieldTypes.keys()].toSorted())
    const article = new Map(types.article?.fields.map((one) => [one.name, one]))
    expect(Object.fromEntries([...article].map(([name, { options }]) => [name, options]))).toMatchObject({
      subtitle: { max: 80 },
      count: { min: 0, max: 1000 },
      level: {
        choices: [
          { value: 'low', label: 'Low' },
          { value: 'high', label: 'High' },
        ],
      },
      size: { min: 0, max: 100, step: 10 },
      links: { titleField: 'label' },
      body: { widgets: { promo: {}, '@cms/rich-text': { toolbar: ['styles', 'bold', 'italic', 'link'] } } },
      _image: { max: 1, withType: ['@cms/image'] },
      download: { fileGroup: 'office' },
    })
    expect(article.get('size')).toMatchObject({ def: 50, filter: 'range', isSortable: true })
    expect(article.get('links')?.fields?.map(({ name }) => name)).toEqual(['label', 'href', 'n'])
    const code = types.draftless?.fields.find(({ name }) => name === 'code')
    expect(code?.options).toEqual({ pattern: '^[A-Z]{2}\\d+$' })
    expect(types.topic?.fields.find(({ name }) => name === '_articles')).toMatchObject({
      locked: { reason: 'system' },
      options: { withType: ['article'], reverseOf: '_topics' },
    })
    expect(types.product).toMatchObject({ sort: 'price', queries: [{ name: 'minPrice', schema: { type: 'number' } }] })
    expect(types['article-page']).toMatchObject({ family: 'page', piecesType: 'article', hasUrl: true })
  })

  it('§5.11 tells locales and what the caller may do there', async () => {
    const { site } = await schemaFor(service.guest)
    expect(site.locales.it).toEqual({
      label: 'Italian',
      prefix: '/it',
      private: true,
      direction: 'ltr',
      denied: { reason: 'role', needs: 'contributor' },
    })
    expect((await schemaFor(service.contributor)).site.locales.it?.denied).toBeUndefined()
    expect((await schemaFor(service.contributor)).caller.denied).toEqual({
      users: { reason: 'role', needs: 'admin' },
      styles: { reason: 'role', needs: 'editor' },
      global: { reason: 'role', needs: 'editor' },
      agents: { reason: 'role', needs: 'admin' },
    })
  })

  it('§5.11 guests see what they may read, and nothing else', async () => {
    const { types, widgets } = await schemaFor(service.guest)
    expect(Object.keys(types)).not.toContain('article')
    expect(types.product?.fields.map(({ name }) => name)).toEqual([
      'title',
      'slug',
      'visibility',
      'sku',
      'price',
      'color',
      'tags',
      '_topics',
    ])
    expect(types.product?.denied.createDraft).toEqual({ reason: 'role', needs: 'contributor' })
    expect(widgets).toEqual({})
  })

  it('§5.11 the OpenAPI document has all that the type of a client has, and nothing else', async () => {
    const { components, paths } = (await service.admin.get('openapi.json')).body
    const namesOf = (component: string) => Object.keys(components.schemas[component].properties).toSorted()
    expect(namesOf('EditingField')).toEqual(Object.keys(FIELD).toSorted())
    expect(namesOf('EditingType')).toEqual(Object.keys(TYPE).toSorted())
    expect(namesOf('EditingWidget')).toEqual(Object.keys(WIDGET).toSorted())
    expect(namesOf('EditingReason')).toEqual(Object.keys(REASON).toSorted())
    const answer = paths['/api/v1/@cms/schema'].get.responses[200].content['application/json'].schema
    expect(Object.keys(answer.properties).toSorted()).toEqual(Object.keys(WHOLE).toSorted())
  })
})

type Names<Of> = { readonly [Name in keyof Required<Of>]: 1 }
const FIELD: Names<FieldInfo> = {
  name: 1,
  type: 1,
  label: 1,
  help: 1,
  placeholder: 1,
  required: 1,
  def: 1,
  if: 1,
  readOnly: 1,
  unique: 1,
  options: 1,
  fields: 1,
  groups: 1,
  locked: 1,
  filter: 1,
  isSortable: 1,
  schema: 1,
}
const TYPE: Names<TypeInfo> = {
  family: 1,
  label: 1,
  pluralLabel: 1,
  icon: 1,
  description: 1,
  fields: 1,
  groups: 1,
  localized: 1,
  autopublish: 1,
  scheduling: 1,
  singleton: 1,
  versions: 1,
  hasUrl: 1,
  piecesType: 1,
  slugPrefix: 1,
  sort: 1,
  queries: 1,
  denied: 1,
}
const WIDGET: Names<WidgetInfo> = {
  label: 1,
  icon: 1,
  description: 1,
  fields: 1,
  groups: 1,
  styles: 1,
  titleField: 1,
}
const REASON: Names<Reason> = { reason: 1, needs: 1 }
const WHOLE: Names<Schema> = { site: 1, caller: 1, types: 1, widgets: 1, editor: 1 }

const stars = defineFieldType({
  name: 'stars',
  options: z.strictObject({ most: z.int(), shape: z.instanceof(RegExp).optional() }),
  blank: () => null,
  read: (input) => (typeof input === 'number' ? input : null),
  toText: (value: number) => String(value),
  jsonSchema: ({ most }) => ({ type: ['integer', 'null'], maximum: most }),
  scalar: () => 'number' as const,
  index: (value: number) => [{ text: null, number: value }],
})

const plate = widget('plate', {
  label: 'Plate',
  icon: 'plate',
  description: 'One dish.',
  fields: {
    add: { dish: { type: 'string', filterable: true }, price: { type: 'float', viewPermission: 'admin' } },
    group: { main: { label: 'The dish', fields: ['dish'] }, money: { fields: ['price'] } },
  },
  styles: { add: { tone: { type: 'color', property: 'color' } } },
})

const menu = piece('menu', {
  label: 'Menu',
  icon: 'fork',
  description: 'What is cooked on a day.',
  scheduling: true,
  fields: {
    add: {
      day: { type: 'string', placeholder: 'Monday', help: 'A day of the week.', unique: true },
      cost: { type: 'float', viewPermission: 'editor' },
      note: { type: 'string', editPermission: 'admin' },
      reason: { type: 'string', if: { cost: 3 } },
      number: { type: 'integer', readOnly: true },
      rating: field(stars, { most: 5, shape: /^x/, placeholder: 'None yet' }),
      dishes: { type: 'area', widgets: { plate: {} } },
      address: {
        type: 'object',
        fields: { add: { city: { type: 'string', filterable: true }, zip: { type: 'string' } } },
      },
      rows: {
        type: 'array',
        titleField: 'secret',
        fields: { add: { secret: { type: 'string', viewPermission: 'admin' }, open: { type: 'boolean' } } },
      },
      _vault: { type: 'relationship', withType: 'vault' },
      _other: { type: 'relationship', withType: ['menu', 'vault'], fields: { add: { why: { type: 'string' } } } },
    },
    group: {
      basics: { label: 'Basics', fields: ['title', 'day', 'cost'] },
      rest: { fields: ['note'] },
      money: { fields: [] },
    },
  },
  queries: { cheap: query({ input: z.coerce.boolean(), where: () => ({ cost: { max: 3 } }) }) },
})

const kitchen = defineSite({
  name: 'Kitchen',
  locales: { ar: { label: 'العربية', direction: 'rtl' }, en: { label: 'English', prefix: '/en' } },
  types: [menu, piece('vault', { viewRole: 'admin', editRole: 'admin' }), page('room', { label: 'Room' })],
  widgets: [plate, widget('unused')],
  fieldTypes: [stars],
  fileGroups: [{ name: 'images', extensions: ['png'] }],
})

describeService('§5.11 the schema of a site', { site: kitchen }, (service) => {
  const menuFor = async (caller: Caller) => {
    const { types } = await schemaFor(caller)
    return { ...types.menu, byName: new Map(types.menu?.fields.map((one) => [one.name, one])) }
  }

  it('§2.17 has groups, pictures, help, placeholders, and what the site declares besides', async () => {
    const { byName, ...type } = await menuFor(service.admin)
    expect(type).toMatchObject({
      label: 'Menu',
      pluralLabel: 'Menus',
      icon: 'fork',
      description: 'What is cooked on a day.',
      scheduling: true,
      groups: [
        { name: 'basics', label: 'Basics', fields: ['title', 'day', 'cost'] },
        { name: 'rest', label: 'Rest', fields: ['note'] },
      ],
      sort: '-updatedAt',
      queries: [{ name: 'cheap', schema: { type: 'boolean' } }],
      denied: {},
    })
    expect(byName.get('day')).toMatchObject({ placeholder: 'Monday', help: 'A day of the week.', unique: true })
    expect(byName.get('number')?.readOnly).toBe(true)
    expect(byName.get('reason')?.if).toEqual({ cost: 3 })
    const { site, widgets } = await schemaFor(service.admin)
    expect(site.locales.ar?.direction).toBe('rtl')
    expect(site.fileGroups).toEqual([{ name: 'images', label: 'Images', extensions: ['png'], isImage: true }])
    expect(Object.keys(widgets)).toEqual(['plate'])
  })

  it("§2.16 has the values of a site's own field types as a JSON Schema, and their options as JSON", async () => {
    const { byName } = await menuFor(service.admin)
    expect(byName.get('rating')).toEqual({
      name: 'rating',
      type: 'stars',
      label: 'Rating',
      placeholder: 'None yet',
      options: { most: 5, shape: '^x' },
      filter: 'range',
      isSortable: true,
      schema: { type: ['integer', 'null'], maximum: 5 },
    })
  })

  it('§5.7 leaves out what is hidden, and whatever tells of it', async () => {
    const { byName, groups } = await menuFor(service.contributor)
    expect(groups?.[0]?.fields).toEqual(['title', 'day'])
    expect([...byName.keys()]).not.toEqual(expect.arrayContaining(['cost']))
    expect(byName.get('reason')).not.toHaveProperty('if')
    expect(byName.has('_vault')).toBe(false)
    expect(byName.get('_other')?.options.withType).toEqual(['menu'])
    expect(byName.get('rows')?.options).toEqual({})
    expect(byName.get('rows')?.fields?.map(({ name }) => name)).toEqual(['open'])
    const { widgets, types } = await schemaFor(service.contributor)
    expect(widgets.plate?.fields.map(({ name }) => name)).toEqual(['dish'])
    expect(widgets.plate?.groups.map(({ name }) => name)).toEqual(['main'])
    expect(types.vault).toBeUndefined()
    const { body } = await service.contributor.get('@cms/schema')
    expect(JSON.stringify(body)).not.toMatch(/vault|cost|secret|price/)
  })

  it('§5.7 what is locked is refused, and says who may', async () => {
    const { byName } = await menuFor(service.editor)
    expect(byName.get('note')?.locked).toEqual({ reason: 'role', needs: 'admin' })
    const { _id } = (await service.admin.post('menu', { title: 'A', note: 'n' })).body
    for (const [name, { locked }] of byName) {
      if (name !== 'note' && name !== 'day') continue
      const { status } = await service.editor.patch(`menu/${_id}`, { [name]: 'other' })
      expect([name, status === 200]).toEqual([name, locked === undefined])
    }
  })

  it('§4.7 styles of a widget are stored beside its own fields', async () => {
    const { plate } = (await schemaFor(service.admin)).widgets
    expect(plate).toMatchObject({ label: 'Plate', icon: 'plate', description: 'One dish.' })
    expect(plate?.styles?.map(({ name }) => name)).toEqual(['tone'])
    const items = [{ type: 'plate', dish: 'Soup', tone: '#ff0000' }]
    const { body } = await service.admin.post('menu', { title: 'B', dishes: { items } })
    expect(body.dishes.items[0]).toMatchObject({ dish: 'Soup', tone: '#ff0000' })
  })

  it('§4.1 fields inside of others are filtered by where they are declared so', async () => {
    const { byName } = await menuFor(service.admin)
    const [city, zip] = byName.get('address')?.fields ?? []
    expect([city?.filter, zip?.filter]).toEqual(['text', undefined])
    expect((await service.admin.get('menu', 'address.city[$contains]=a')).status).toBe(200)
    expect((await service.admin.get('menu', 'address.zip[$contains]=a')).status).toBe(400)
    expect((await schemaFor(service.admin)).widgets.plate?.fields[0]?.filter).toBe('text')
    expect((await service.admin.get('menu', 'dishes.plate.dish[$contains]=a')).status).toBe(200)
    expect(byName.get('_other')).toMatchObject({ filter: 'relationship', fields: [{ name: 'why', options: {} }] })
  })
})

describe('§5.11 the editor in the schema', () => {
  it('is where the site says, or nowhere', () => {
    const editorOf = (options: object) =>
      describeSchema({ site: compileSite(defineSite({ name: 'Inn', ...options })), actor: { kind: 'operator' } }).editor
    expect(editorOf({})).toEqual({ path: '/admin', title: 'Inn', frontends: [] })
    const editor = { path: '/desk', title: 'Desk', frontends: ['https://www.example.org'] }
    expect(editorOf({ editor: { ...editor, origin: 'https://edit.example.org' } })).toEqual(editor)
    expect(editorOf({ editor: false })).toBeNull()
  })
})

describe('§5.11 the size of the schema', () => {
  it('is at most 20 KB of gzip for 100 types of widgets with 8 fields each', () => {
    const names = Array.from({ length: 100 }, (_, index) => `block-${index}`)
    const widgets = names.map((name, index) =>
      widget(name, { label: `Block ${index}`, fields: { add: manyFields(index) } }),
    )
    const allowed = Object.fromEntries(names.map((name) => [name, {}]))
    const story = piece('story', { fields: { add: { body: { type: 'area', widgets: allowed } } } })
    const site = compileSite(defineSite({ types: [story], widgets }))
    const schema = describeSchema({ site, actor: { kind: 'operator' } })
    expect(Object.keys(schema.widgets)).toHaveLength(100)
    expect(gzipSync(JSON.stringify(schema)).length).toBeLessThanOrEqual(20 * 1024)
  })
})

/** Eight fields whose words are others in each widget. */
function manyFields(index: number): DeclaredFields {
  const words = (at: number) => WORDS[(index * 7 + at * 13) % WORDS.length] ?? ''
  const label = (at: number) => `${words(at)} ${words(at + 3)}`
  return {
    [`${words(1)}Title`]: { type: 'string', label: label(1), required: true, max: 40 + index, help: `${label(4)}.` },
    [`${words(2)}Text`]: { type: 'richText', label: label(2), toolbar: ['bold', 'italic', 'link'] },
    [`${words(3)}Size`]: { type: 'integer', label: label(3), min: 0, max: index + 1, def: 1 },
    [`${words(4)}Kind`]: {
      type: 'select',
      label: label(5),
      choices: [words(5), `${words(6)} 2`, `${words(7)} 3`],
    },
    [`${words(5)}Link`]: { type: 'url', label: label(6), placeholder: `https://${words(6)}` },
    [`${words(6)}Wide`]: { type: 'boolean', label: label(7), def: true },
    [`_${words(7)}Image`]: { type: 'relationship', label: label(8), withType: '@cms/image', max: 1 },
    [`${words(8)}Rows`]: {
      type: 'array',
      label: label(9),
      fields: { add: { text: { type: 'string' }, href: { type: 'url', if: { text: words(9) } } } },
    },
  }
}

const WORDS =
  'amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge maple north ocean plain quarry ridge shore tower union vista wharf yonder zenith'.split(
    ' ',
  )
