import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../store/contract/store.ts'
import { open } from '../../store/open-store.ts'
import { quietLog } from '../command/json-log.ts'
import { ensureAdminKey } from './admin-key.ts'

describe('§5 the admin key of a folder', () => {
  let folder: string
  let file: string
  let store: Store
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-admin-key-'))
    file = join(folder, 'data', 'admin-key')
    store = await open(`sqlite:${join(folder, 'quire.db')}`, { log: quietLog })
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const ensure = () => ensureAdminKey(store, new Date(), file)
  const put = async (text: string, mode: number) => {
    await mkdir(join(folder, 'data'), { recursive: true })
    await writeFile(file, text)
    await chmod(file, mode)
  }

  test('§5 the key is created once, readable by its owner alone', async () => {
    const first = await ensure()
    expect(first?.created).toHaveLength(43)
    expect((await readFile(file, 'utf8')).trim()).toBe(first?.created)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'data'))).mode & 0o027).toBe(0)
    expect(await ensure()).toEqual({ path: file, created: null })
    expect(await store.keys.list()).toHaveLength(1)
  })

  test('§5 starts at the same moment agree on one key', async () => {
    await Promise.all([ensure(), ensure(), ensure()])
    expect(await store.keys.list()).toHaveLength(1)
  })

  test.each([
    ['others can read', 'k'.repeat(43), 0o644, /^Others on this machine can read the admin key .*chmod 600/],
    ['the group can write', 'k'.repeat(43), 0o620, /^Others on this machine can read the admin key/],
    ['has fewer than 32 characters', 'short', 0o600, /has fewer than 32 characters, so it can be guessed/],
    ['is empty', '', 0o600, /has fewer than 32 characters/],
  ])('§5 a key file that %s is refused with what to do', async (_title, text, mode, message) => {
    await put(text, mode)
    await expect(ensure()).rejects.toThrow(message)
    await expect(ensure()).rejects.not.toThrow(/kkkk/)
    expect(await store.keys.list()).toEqual([])
  })

  test('§5 a sound key file is added to a new database', async () => {
    await put(`${'k'.repeat(43)}\n`, 0o600)
    expect(await ensure()).toEqual({ path: file, created: null })
    expect(await store.keys.list()).toHaveLength(1)
  })
})
