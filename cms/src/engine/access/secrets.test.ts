import { expect, it } from 'vitest'
import { dropHashes, hashSecret, isHash, isSecret } from './secrets.ts'

const SECRET = 'correct horse battery'

it('§5 a hash names its parameters and has a salt of its own', async () => {
  const [one, other] = await Promise.all([hashSecret(SECRET), hashSecret(SECRET)])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(other)
  for (const hash of [one, other]) expect([isHash(hash), await isSecret(SECRET, hash)]).toEqual([true, true])
  expect(await isSecret(`${SECRET}.`, one)).toBe(false)
})

it('§5 nothing is the secret of what is no hash, or of a hash of another kind', async () => {
  const hash = await hashSecret(SECRET)
  const [start, tag = ''] = [hash.slice(0, hash.lastIndexOf('$')), hash.slice(hash.lastIndexOf('$') + 1)]
  const others = ['', SECRET, start, `${start}$`, `${start}$${tag.slice(4)}`, hash.replace('argon2id', 'argon2i')]
  for (const other of others) expect([other, await isSecret(SECRET, other)]).toEqual([other, false])
})

it('§5 only texts in the form of a hash are hashes', async () => {
  const hash = await hashSecret(SECRET)
  for (const value of [null, 7, [hash], '', ` ${hash}`, hash.replace('argon2id', 'argon2i'), '$argon2id$v=19$']) {
    expect([value, isHash(value)]).toEqual([value, false])
  }
})

it('§5 hashes are dropped at any depth, and nothing else is', async () => {
  const hash = await hashSecret(SECRET)
  const values = {
    password: hash,
    title: SECRET,
    none: null,
    list: [{ pin: hash, label: 'x' }, { inner: { code: hash } }],
  }
  expect(dropHashes(values)).toEqual(['password', 'pin', 'code'])
  expect(values).toEqual({ title: SECRET, none: null, list: [{ label: 'x' }, { inner: {} }] })
  expect(dropHashes(SECRET)).toEqual([])
})
