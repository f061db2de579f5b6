import { beforeAll, expect, test } from 'vitest'
import { newId } from '../src/base/ids.ts'
import { LONGEST_STOP, longestStop } from './longest-stop.ts'
import { makeUser, tokenOf } from './people.ts'
import { PROPOSAL, site } from './proposing.ts'
import { describeService } from './service.ts'
import { send } from './wire.ts'

const ROWS = 4_000

const links = (to: string) => Array.from({ length: ROWS }, (_, n) => ({ _id: `l${n}`, to: `${to} ${n}`, by: 'me' }))

describeService('§4.9 no proposal stops all others', { isLong: true, site, timeout: 300_000 }, (service) => {
  const [agent, editor] = [{ authorization: 'ApiKey key-ai' }, { authorization: '' }]

  beforeAll(async () => {
    await makeUser(service.app, 'ann', { role: 'editor' })
    editor.authorization = `Bearer ${await tokenOf(service.address, 'ann')}`
  })

  /** Returns the id of the proposal. Answers are not parsed here, which would stop others as well. */
  const request = async (method: string, path: string, caller: typeof agent, body = '{}') => {
    const headers = { 'content-type': 'application/json', ...caller }
    const sent = method === 'GET' ? { headers: caller } : { headers, body }
    const { status, text } = await send(service.address, { method, path: `/api/v1/${PROPOSAL}${path}`, ...sent })
    expect(status, text.slice(0, 300)).toBe(200)
    return /^\{"_id":"([0-9a-z]+)"/.exec(text)?.[1] ?? ''
  }

  test.each([
    ['change values', links('one'), links('two')],
    ['add items', [], links('new')],
    ['take items away', links('one'), []],
  ])('that has 4,000 rows which %s, when it is made, read, accepted or refused', async (_, before, after) => {
    let wish = ''
    let id = ''
    const draft = async () => {
      const body = { title: 'Story', text: 'One', slug: newId(), links: before }
      const { aposDocId } = (await service.admin.post('story', body, 'aposMode=draft')).body
      wish = JSON.stringify({ docId: `${aposDocId}:en:draft`, title: 'Long', patch: { links: after } })
    }
    const propose = async () => {
      id = await request('POST', '', agent, wish)
    }
    const proposal = async () => {
      await draft()
      await propose()
    }
    const stops = [
      ['made', await longestStop(propose, draft)],
      ['read', await longestStop(() => request('GET', `/${id}`, editor))],
      ['accepted', await longestStop(() => request('POST', `/${id}/accept`, editor), proposal)],
      ['refused', await longestStop(() => request('POST', `/${id}/refuse`, editor), proposal)],
    ] as const
    expect(stops.filter(([, stop]) => stop >= LONGEST_STOP)).toEqual([])
  })
})
