import { beforeAll, expect, it } from 'vitest'
import { defineSite, page, piece } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { sample } from './sample.ts'
import { describeService } from './service.ts'
import { send } from './wire.ts'

/** A person is public but for the two fields that every other type shows: title and slug. */
const person = piece('person', {
  publicApiProjection: ['bio', '_events', '_boss'],
  fields: {
    add: {
      bio: { type: 'string' },
      _boss: { type: 'relationship', withType: 'person' },
      _events: { type: 'relationshipReverse', withType: 'event', reverseOf: '_people' },
    },
  },
})
const event = piece('event', {
  searchable: ['_people', '_hosts'],
  publicApiProjection: ['title', 'slug', '_people', '_hosts', 'stops', 'level'],
  fields: {
    add: {
      level: { type: 'integer' },
      _people: { type: 'relationship', withType: 'person', withRelationships: true },
      _hosts: { type: 'relationship', withType: ['person', 'event', '@cms/any-page'] },
      stops: { type: 'array', fields: { add: { _people: { type: 'relationship', withType: 'person' } } } },
    },
  },
})
const tour = page('tour-page', {
  publicApiProjection: ['title', 'slug', '_guide', '_url'],
  fields: { add: { _guide: { type: 'relationship', withType: 'person' } } },
})
const site = defineSite({
  name: 'Related',
  types: [person, event, tour],
  pages: { publicApiProjection: ['title', 'slug', '_children'] },
})

/** What the persons are called, in one state of the site and in the other; their order differs, too. */
const NAMES = {
  first: ['Aaron Merger', 'Zoe Hush', 'Mia'],
  second: ['Zacharias', 'Abel Quiet', 'Nora'],
} as const
const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')
const GUESSES = [...NAMES.first, ...NAMES.second].flatMap((name) => [slugOf(name), name])

const byRelationship = (name: string) => [
  ...GUESSES.flatMap((guess) => [
    `${name}=${guess}`,
    `_${name}=${guess}`,
    `${name}[]=${guess}&${name}[]=zzz`,
    `${name}And[]=${guess}`,
    `${name}[min]=${guess}`,
  ]),
  `${name}=none`,
  `sort=${name}`,
  `sort[_${name}]=1`,
  `choices=${name},_${name}`,
  `counts=${name},_${name}`,
  `project[_${name}]=1`,
  `project[_${name}.title]=1`,
]
const byField = (name: string) => [
  ...GUESSES.flatMap((guess) => [`${name}=${guess}`, `${name}[]=${guess}&${name}[]=x`, `${name}[min]=${guess}`]),
  `sort=${name}`,
  `sort=-${name}`,
  `choices=${name}`,
  `counts=${name}`,
  `project[${name}]=1`,
]
const byWord = GUESSES.flatMap((word) => [
  `search=${word}`,
  `autocomplete=${word.slice(0, 3)}`,
  `search=${word}&sort=title`,
  `search=${word}x&highlight=true`,
])
const EVENT_QUESTIONS = [...byRelationship('people'), ...byRelationship('hosts'), ...byWord]
const PERSON_QUESTIONS = [
  ...byField('title'),
  ...byField('slug'),
  ...byRelationship('boss'),
  ...byWord,
  'aposMode=draft',
]

describeService(
  '§5.8 titles and slugs that a related type does not show',
  { site, on: sampledDatabases('oracle-related') },
  (service) => {
    const people: string[] = []
    let paths: readonly string[] = []

    beforeAll(async () => {
      const { editor } = service
      const made = async (type: string, body: object): Promise<string> => (await editor.post(type, body)).body.aposDocId
      for (const [index, name] of NAMES.first.entries()) {
        const _boss = people.slice(0, 1).map((_id) => ({ _id }))
        people.push(await made('person', { title: name, slug: slugOf(name), bio: `Bio ${index}`, _boss }))
      }
      const [a, b, c] = people.map((_id) => ({ _id }))
      const fair = await made('event', {
        title: 'Fair',
        level: 1,
        _people: [a, b],
        _hosts: [c],
        stops: [{ _people: [b] }],
      })
      await made('event', { title: 'Party', level: 2, _people: [b, c] })
      await made('event', { title: 'Alone', level: 3 })
      const place = { _targetId: '_home', _position: 'lastChild' }
      const trip = await made('@cms/page', { type: 'tour-page', title: 'Trip', _guide: [a], ...place })
      paths = [
        ...sample(EVENT_QUESTIONS, 60).map((question) => `event?${question}`),
        ...sample(PERSON_QUESTIONS, 60).map((question) => `person?${question}`),
        ...['', 'all=1', 'all=1&flat=1'].map((question) => `@cms/page?${question}`),
        ...[`event/${fair}`, `@cms/page/${trip}`, ...people.map((id) => `person/${id}`)],
        ...GUESSES.map((guess) => `person/${slugOf(guess)}`),
        'event',
        'person',
        'openapi.json',
      ]
    })

    /** All answers that an anonymous caller gets, to the byte, with what their headers tell. */
    async function answers(): Promise<string[]> {
      const all: string[] = []
      for (const path of paths) {
        const encoded = encodeURI(path)
        const { status, headers, text } = await send(service.address, { method: 'GET', path: `/api/v1/${encoded}` })
        const asGet = await postedAsGet(path)
        all.push(`${path}: ${status} ${headers.etag} ${headers['content-length']} ${text} ${asGet}`)
      }
      return all.map((text) => text.replaceAll(/"requestId":"[^"]*"/g, ''))
    }

    async function postedAsGet(path: string): Promise<string> {
      const [route = '', query = ''] = path.split('?')
      const body = JSON.stringify({ __aposGetWithQuery: Object.fromEntries(new URLSearchParams(query)) })
      const headers = { 'content-type': 'application/json' }
      const { status, text } = await send(service.address, { method: 'POST', path: `/api/v1/${route}`, headers, body })
      return `${status} ${text}`
    }

    it('change no answer that an anonymous caller gets, and are in none', async () => {
      const before = await answers()
      for (const [index, id] of people.entries()) {
        const title = NAMES.second[index] ?? ''
        expect((await service.editor.patch(`person/${id}`, { title, slug: slugOf(title) })).status).toBe(200)
      }
      expect(await answers()).toEqual(before)
      for (const text of before) expect(text.slice(text.indexOf(': '))).not.toMatch(/Aaron|aaron-merger|Zoe|zoe-hush/)
    })

    it('filter nothing, and ids do', async () => {
      const total = async (query: string) => (await service.anonymous.get('event', query)).body.total
      expect([await total(`_people=${people[0]}`), await total(`people=${people[1]}`)]).toEqual([1, 2])
      expect((await service.editor.get('event', `people=${slugOf(NAMES.second[0])}`)).body.total).toBe(1)
      for (const guess of GUESSES) expect(await total(`people=${guess}`)).toBe(0)
    })
  },
)
