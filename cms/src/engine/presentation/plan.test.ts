import { expect, test } from 'vitest'
import { quietLog } from '../../cli/command/json-log.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { piece } from '../../model/declared/content-type.ts'
import { hookRunner } from '../hook-runner.ts'
import { MINIMAL_ANSWER, planOf } from './plan.ts'

/** A site of its own, and how its articles are planned. */
function planOn(label: string) {
  const site = compileSite(defineSite({ types: [piece('article', { label })] }))
  const type = site.types.get('article')
  if (type === undefined) throw new Error('The site has no articles.')
  const ctx = { actor: { kind: 'anonymous' }, site, hooks: hookRunner([], site, quietLog) } as const
  const access = { fields: 'public', visibility: 'public' } as const
  return { type, plan: () => planOf(ctx, { type, access, project: MINIMAL_ANSWER }) }
}

test('§2.15 minimal answers of each site in a process are planned by its own types, once', () => {
  const [one, other] = [planOn('Article'), planOn('Essay')]
  expect([one.plan().type, other.plan().type].map(({ label }) => label)).toEqual(['Article', 'Essay'])
  expect(one.plan()).toBe(one.plan())
})
