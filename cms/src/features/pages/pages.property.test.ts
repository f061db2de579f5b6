import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWhole, seed } from '../../../test/sample.ts'
import { type Answer, describeService, type Service } from '../../../test/service.ts'
import { readTrees, type StoredPage, unsound } from '../../../test/trees.ts'
import { archiveId, homeId } from '../../engine/pages/parked.ts'
import { TreeModel } from './test-tree-model.ts'

const MODES = ['draft', 'published'] as const
const TITLES = ['a', 'b', 'c']

/** One step. Numbers choose among the pages there are, so that every step has something to work on. */
type Step = {
  readonly kind:
    | 'insert'
    | 'move'
    | 'archive'
    | 'restore'
    | 'rename'
    | 'publish'
    | 'unpublish'
    | 'revert'
    | 'remove'
    | 'localize'
  readonly page: number
  readonly target: number
  readonly position: 'before' | 'after' | 'firstChild' | 'lastChild' | number
  readonly mode: 'draft' | 'published'
  readonly title: string
}

const kinds: readonly { weight: number; arbitrary: fc.Arbitrary<Step['kind']> }[] = [
  { weight: 10, arbitrary: fc.constant('insert') },
  { weight: 10, arbitrary: fc.constant('move') },
  { weight: 3, arbitrary: fc.constant('archive') },
  { weight: 3, arbitrary: fc.constant('restore') },
  { weight: 6, arbitrary: fc.constant('rename') },
  { weight: 5, arbitrary: fc.constant('publish') },
  { weight: 2, arbitrary: fc.constant('unpublish') },
  { weight: 2, arbitrary: fc.constant('revert') },
  { weight: 2, arbitrary: fc.constant('remove') },
  { weight: 4, arbitrary: fc.constant('localize') },
]
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...kinds),
  page: fc.nat(999),
  target: fc.nat(999),
  position: fc.constantFrom<Step['position']>('before', 'after', 'firstChild', 'lastChild', 0, 1, 2, 9),
  mode: fc.constantFrom(...MODES),
  title: fc.constantFrom(...TITLES),
})

/** Sends a step for the pages that are there; the ids of new pages come with the answers. */
async function send(service: Service, step: Step, ids: readonly string[], locale: string): Promise<Answer> {
  const id = ids[step.page % ids.length]
  const target = ids[step.target % ids.length]
  const query = `aposMode=${step.mode}&aposLocale=${locale}`
  const { admin } = service
  const move = (_targetId: string | undefined) =>
    admin.patch(`@cms/page/${id}`, { _targetId, _position: step.position }, query)
  switch (step.kind) {
    case 'insert':
      return admin.post(
        '@cms/page',
        { type: 'default-page', title: step.title, _targetId: target, _position: step.position },
        query,
      )
    case 'move':
    case 'restore':
      return move(target)
    case 'archive':
      return move('_archive')
    case 'rename':
      return admin.patch(`@cms/page/${id}`, { slug: `/${step.title}${step.target % 3 === 0 ? '/x' : ''}` }, query)
    case 'remove':
      return admin.delete(`@cms/page/${id}`, query)
    case 'localize':
      return admin.post(`@cms/page/${id}/localize`, { toLocale: 'fr', update: step.target % 2 === 0 }, 'aposLocale=en')
    default:
      return admin.post(
        `@cms/page/${id}/${step.kind === 'revert' ? 'revert-draft-to-published' : step.kind}`,
        {},
        `aposLocale=${locale}`,
      )
  }
}

describeService('§4.2 the tree', { isLong: true, timeout: 300_000 }, (service) => {
  const stored = async (locale: string) => {
    const tree = (await readTrees(service.databaseUrl)).get(locale)
    if (!tree) throw new Error(`no tree of ${locale}`)
    return tree
  }
  const steps = (from: number, count: number): Step[] => fc.sample(step, { seed: from, numRuns: count })

  test('every step leaves the whole tree as a plain model of it has it', async () => {
    const models = { en: new TreeModel(homeId, archiveId), fr: new TreeModel(homeId, archiveId) }
    for (const [number, step] of steps(seed, isWhole ? 600 : 120).entries()) {
      const locale = step.kind !== 'localize' && number % 5 === 4 ? 'fr' : 'en'
      const model = models[locale]
      const ids = model.ids()
      const answer = await send(service, step, ids, locale)
      const context = `seed ${seed}, step ${number}: ${locale} ${JSON.stringify({ ...step, page: ids[step.page % ids.length], target: ids[step.target % ids.length] })} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`
      expect([200, 400, 404, 409], context).toContain(answer.status)
      const expected = model.apply(step, ids, answer.status === 200 ? answer.body.aposDocId : null, models.fr)
      expect(answer.status, context).toBe(expected)
      for (const name of ['en', 'fr'] as const) {
        const tree = await stored(name)
        expect(shown(tree), `${name}, ${context}`).toEqual(models[name].shown())
        expect(unsound(tree, archiveId), context).toEqual([])
      }
    }
  })

  test('writers at once leave a sound tree', async () => {
    for (const [round, size] of [4, 5, 6, 7, 8, 8, 8, 8, 6, 8].entries()) {
      const ids = [...(await stored('en')).keys()]
      const batch = steps(seed + 1 + round, size)
      const answers = await Promise.all(batch.map((step, at) => send(service, step, ids, at % 4 === 3 ? 'fr' : 'en')))
      const context = `seed ${seed + 1 + round}: ${JSON.stringify(batch)} → ${answers.map(({ status, body }) => `${status} ${body.message ?? ''}`)}`
      for (const { status } of answers) expect([200, 400, 404, 409], context).toContain(status)
      for (const locale of ['en', 'fr']) expect(unsound(await stored(locale), archiveId), context).toEqual([])
    }
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** A tree as lines of text, depth first: easy to compare, and to read where it differs. */
function shown(tree: ReadonlyMap<string, StoredPage>): string[] {
  const siblings = Map.groupBy(tree.values(), ({ parent }) => parent)
  const copy = (page: StoredPage['draft']) => (page ? `${page.slug}${page.archived ? ' archived' : ''}` : '-')
  const lines = (parent: string): string[] =>
    (siblings.get(parent) ?? [])
      .toSorted((a, b) => a.rank - b.rank)
      .flatMap((page) => [
        `${page.path} ${page.level} ${page.rank} ${copy(page.draft)} | ${copy(page.published)}`,
        ...lines(page.docId),
      ])
  return lines('')
}
