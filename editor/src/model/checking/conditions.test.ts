import { describe, expect, it } from 'vitest'
import conditions from '../../../test/conditions.json' with { type: 'json' }
import { conditionHolds } from './conditions.ts'

describe('4.1 conditions are as the service evaluates them', () => {
  it.each(conditions.cases)('$condition holds: $holds', ({ condition, holds }) => {
    // `as`: names that are not there are undefined.
    expect(conditionHolds(condition as Parameters<typeof conditionHolds>[0], conditions.values)).toBe(holds)
  })

  it('know no value of relationships', () => {
    expect(conditionHolds({ _topics: null }, { _topics: [{ _id: 't1' }] })).toBe(true)
  })
})
