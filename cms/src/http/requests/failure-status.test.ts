import { describe, expect, test } from 'vitest'
import { CmsError, conflict, invalidFields, unauthorized, unavailable } from '../../base/errors.ts'
import { failureOf } from './failure-status.ts'

describe('§0.2 Errors', () => {
  test('fields are reported all at once', () => {
    const problems = [{ path: 'links.abc.to', name: 'invalid', message: 'This is no URL.' }] as const
    expect(failureOf(invalidFields(problems), 'r1')).toEqual({
      status: 400,
      headers: {},
      body: { name: 'invalid', message: expect.stringContaining('links.abc.to'), data: { errors: problems } },
    })
  })

  test('`toomany` says when to come back', () => {
    expect(failureOf(new CmsError('toomany', 'Wait.', { retryAfter: 30 }), 'r1').headers).toEqual({
      'Retry-After': '30',
    })
    expect(failureOf(new CmsError('toomany', 'Wait.'), 'r1').headers).toEqual({ 'Retry-After': '60' })
  })

  test('`unauthorized` says how to be somebody', () => {
    expect(failureOf(unauthorized(), 'r1')).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  })

  test('only failures of ours carry the request id', () => {
    expect(failureOf(unavailable('The database rests.'), 'r1')).toMatchObject({
      status: 503,
      body: { data: { requestId: 'r1' } },
    })
    expect(failureOf(conflict('Taken.'), 'r1').body.data).toEqual({})
  })

  test.each([new Error('at /home/x: select'), 'text', undefined, null, { name: 'invalid', message: 'not ours' }])(
    'anything else thrown is `error` and says nothing: %s',
    (thrown) => {
      const { status, body } = failureOf(thrown, 'r1')
      expect([status, body.name, body.data]).toEqual([500, 'error', { requestId: 'r1' }])
      expect(body.message).not.toMatch(/select|home|not ours/)
    },
  )
})
