import type { Action, Denied, Schema } from 'quire-client'
import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { jpeg, upload } from '../../../test/media.ts'
import { sample } from '../../../test/sample.ts'
import { type Answer, type Caller, describeService, type Service } from '../../../test/service.ts'

const CALLERS = ['guest', 'contributor', 'editor', 'admin', 'ai'] as const
type CallerName = (typeof CALLERS)[number]

let count = 0
const unique = () => {
  count += 1
  return `thing-${count}`
}
let attachment: object = {}
const content = () => ({ title: unique(), sku: 'a', price: 1, color: 'red', username: unique(), attachment })

/** A type, and how its documents are addressed: pages are all at one address. */
interface Tried {
  readonly name: string
  readonly info: Schema['types'][string]
}
const pathOf = ({ name, info }: Tried) => (info.family === 'page' ? '@cms/page' : name)
const draftMode = ({ info }: Tried) => (info.localized ? 'aposMode=draft' : '')
const FIXED: Readonly<Record<string, string>> = { '@cms/home-page': '_home', '@cms/archive-page': '_archive' }

function insert(by: Caller, type: Tried, query: string): Promise<Answer> {
  const place = type.info.family === 'page' ? { type: type.name, _targetId: '_home', _position: 'lastChild' } : {}
  return by.post(pathOf(type), { ...content(), ...place }, query)
}

/** A document of a type, live or never published, by its aposDocId. */
async function made({ admin, contributor }: Service, type: Tried, query = ''): Promise<string> {
  if (type.name in FIXED) return FIXED[type.name] ?? ''
  if (type.info.singleton) return (await admin.get(type.name)).body.results[0].aposDocId
  // What an admin makes of an autopublish type is published.
  const { status, body } = await insert(type.info.autopublish && query ? contributor : admin, type, query)
  expect([type.name, status, body.message]).toEqual([type.name, 200, undefined])
  return body.aposDocId
}

/** Tries to do something with a document that it can be done to. */
const ATTEMPTS: Readonly<Record<Action, (service: Service, by: Caller, type: Tried) => Promise<Answer>>> = {
  view: async (service, by, type) => {
    const path = pathOf(type)
    if (type.info.family === 'page') return by.get(path, 'all=1&flat=1&aposMode=draft')
    return by.get(type.info.localized ? path : `${path}/${await made(service, type)}`, draftMode(type))
  },
  createDraft: (_service, by, type) => insert(by, type, draftMode(type)),
  editDraft: async (service, by, type) =>
    by.patch(`${pathOf(type)}/${await made(service, type)}`, { title: unique() }, draftMode(type)),
  publish: async (service, by, type) => by.post(`${pathOf(type)}/${await made(service, type)}/publish`),
  archive: async (service, by, type) => {
    const path = `${pathOf(type)}/${await made(service, type, draftMode(type))}`
    if (type.info.family === 'piece') return by.post(`${path}/archive`, {}, draftMode(type))
    return by.patch(path, { _targetId: '_archive', _position: 'lastChild' }, 'aposMode=draft')
  },
  deleteDraft: async (service, by, type) => {
    const path = `${pathOf(type)}/${await made(service, type, draftMode(type))}`
    return by.delete(path, draftMode(type))
  },
  delete: async (service, by, type) => by.delete(`${pathOf(type)}/${await made(service, type)}`),
}
// `as`: the names of an object that has no others.
const ACTIONS = Object.keys(ATTEMPTS) as readonly Action[]

describeService('§5.11 the schema and what happens', { on: sampledDatabases('schema-oracle') }, (service) => {
  const schemas = new Map<CallerName, Schema>()
  const schemaOf = (name: CallerName): Schema => {
    const found = schemas.get(name)
    if (found === undefined) throw new Error(`There is no schema of ${name}.`)
    return found
  }
  beforeAll(async () => {
    attachment = (await upload(service, 'admin', await jpeg())).body
    for (const name of CALLERS) schemas.set(name, (await service[name].get('@cms/schema')).body)
  })

  it.each(sample(CALLERS, 2))('§5.11 what %s is denied is refused, and nothing else', async (name) => {
    const wrong: string[] = []
    const own = schemaOf(name).types
    for (const [typeName, info] of Object.entries(schemaOf('admin').types)) {
      const type = { name: typeName, info }
      for (const action of ACTIONS) {
        const { status, body } = await ATTEMPTS[action](service, service[name], type)
        const said = own[typeName] === undefined ? 'hidden' : own[typeName].denied[action]
        if ((status === 200) !== (said === undefined)) {
          wrong.push(`${action} ${typeName}: ${status} ${body?.message}, said ${JSON.stringify(said)}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('§5.11 a reason names the least role that may, and one who lacks it sees the same', () => {
    const ranks = ['guest', 'contributor', 'editor', 'admin'] as const
    const wrong: string[] = []
    for (const [index, name] of ranks.entries()) {
      for (const [type, { denied }] of Object.entries(schemaOf(name).types)) {
        for (const [action, reason] of Object.entries(denied)) {
          const may = (one: (typeof ranks)[number]) => !deniedOf(schemaOf(one), type)[action as Action]
          const least = ranks.find(may)
          const isRight = reason.reason === 'role' ? reason.needs === least : least === undefined
          if (!isRight || (least !== undefined && ranks.indexOf(least) <= index))
            wrong.push(`${name} ${action} ${type}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(schemaOf('ai').types.article?.denied.publish).toEqual({ reason: 'draftsOnly' })
  })

  it.each(sample(CALLERS, 2))(
    '§5.11 lists take the filters and orders that %s is told of, and no others',
    async (name) => {
      const wrong: string[] = []
      for (const [type, { family, fields }] of Object.entries(schemaOf(name).types)) {
        if (family === 'page') continue
        for (const { name: field, filter, isSortable, options } of fields) {
          const sorted = (await service[name].get(type, `sort=${field}`)).status
          if ((sorted === 200) !== (isSortable === true)) wrong.push(`${type} sort=${field}: ${sorted}`)
          for (const [kind, queryOf] of Object.entries(FILTERS)) {
            const query = queryOf(field, options.choices?.[0]?.value ?? 'true')
            const { status } = await service[name].get(type, query)
            const isTaken = kind === 'any' ? filter !== undefined : filter === kind
            if ((status === 200) !== isTaken) wrong.push(`${type} ${query}: ${status}, ${filter}`)
          }
        }
      }
      expect(wrong).toEqual([])
    },
  )

  it.each(sample(CALLERS, 2))('§5.11 %s writes what is not locked, and is shown what is described', async (name) => {
    const { types } = schemaOf(name)
    const all = schemaOf('admin').types
    for (const [type, { fields, denied, family }] of Object.entries(types)) {
      if (family === 'page' || denied.editDraft) continue
      const tried = { name: type, info: { ...all[type], ...types[type] } as Schema['types'][string] }
      const id = await made(service, tried, draftMode(tried))
      const { body } = await service[name].get(`${type}/${id}`, draftMode(tried))
      const described = new Set(fields.map((field) => field.name))
      const stored = all[type]?.fields.filter((field) => field.name in body).map((field) => field.name) ?? []
      expect(stored.filter((field) => !described.has(field))).toEqual([])
      for (const field of all[type]?.fields ?? []) {
        const mine = fields.find((one) => one.name === field.name)
        if (mine?.locked?.reason === 'system' || field.type === 'password') continue
        const given = { [field.name]: body[field.name] ?? null }
        const patched = await service[name].patch(`${type}/${id}`, given, draftMode(tried))
        expect([type, field.name, patched.status, patched.body?.message]).toEqual([type, field.name, 200, undefined])
      }
    }
  })
})

function deniedOf({ types }: Schema, type: string): Denied {
  return types[type]?.denied ?? HIDDEN
}

const HIDDEN: Denied = Object.fromEntries(ACTIONS.map((action) => [action, { reason: 'role' }]))

const FILTERS: Readonly<Record<string, (field: string, value: unknown) => string>> = {
  any: (field, value) => `${field}[$in][]=${value}`,
  text: (field) => `${field}[$contains]=a`,
  range: (field) => `${field}[$gte]=1`,
}
