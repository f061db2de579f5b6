import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { SqliteCheckpoints } from './sqlite-checkpoints.ts'

/** A database whose writer copies nothing by itself. */
async function newDatabase() {
  const folder = await temporaryFolder('quire-checkpoints')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'quire.db')
  const writer = new DatabaseSync(path)
  writer.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table rows (text text not null)')
  writer.exec('pragma wal_checkpoint(truncate)')
  const insert = (count: number) =>
    writer.exec(`with recursive r (n) as (select 1 union all select n + 1 from r where n < ${count})
      insert into rows (text) select hex(randomblob(500)) from r`)
  /** How many rows are in the file itself, without its log. */
  const copied = async () => {
    const copy = join(folder, 'copy.db')
    await copyFile(path, copy)
    const database = new DatabaseSync(copy)
    try {
      return database.prepare('select count(*) as count from rows').get()?.count
    } finally {
      database.close()
    }
  }
  return { path, writer, insert, copied }
}

/** Writes, in a process of its own, and says when it is done. */
const WRITING = `
  import { DatabaseSync } from 'node:sqlite'
  import { setTimeout } from 'node:timers/promises'
  const [path, module] = process.argv.slice(1)
  const { SqliteCheckpoints } = await import(module)
  const writer = new DatabaseSync(path)
  writer.exec('pragma wal_autocheckpoint = 0')
  const checkpoints = new SqliteCheckpoints(path, writer)
  for (let time = 0; time < 3; time += 1) {
    writer.exec("with recursive r (n) as (select 1 union all select n + 1 from r where n < 5000) insert into rows select 'x' from r")
    checkpoints.committed()
    await setTimeout(100)
  }
  await checkpoints.close()
  writer.close()
  process.stdout.write('done')`

describe('what was committed to an SQLite database', () => {
  test('is copied into its file while the writer goes on, whose log begins again', async () => {
    const { path, writer, insert, copied } = await newDatabase()
    const checkpoints = new SqliteCheckpoints(path, writer)
    insert(100)
    checkpoints.committed()
    expect(await copied()).toBe(0)
    const sizes: number[] = []
    for (let round = 1; round <= 8; round += 1) {
      insert(5000)
      checkpoints.committed()
      await vi.waitFor(async () => expect(await copied()).toBe(100 + round * 5000), 20_000)
      sizes.push((await stat(`${path}-wal`)).size)
    }
    const [first = 0] = sizes
    expect(Math.max(...sizes)).toBeLessThan(4 * first)
    await checkpoints.close()
    writer.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test('is in the file once all connections are closed, also when that interrupts the copying', async () => {
    const { path, writer, insert, copied } = await newDatabase()
    const checkpoints = new SqliteCheckpoints(path, writer)
    insert(5000)
    checkpoints.committed()
    await checkpoints.close()
    checkpoints.committed()
    writer.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(await copied()).toBe(5000)
  })

  test('stays in the log while the file is away, which is not created, and is copied once it is there again', async () => {
    const { path, writer, insert, copied } = await newDatabase()
    const checkpoints = new SqliteCheckpoints(path, writer)
    await rename(path, `${path}.away`)
    for (let time = 0; time < 3; time += 1) {
      insert(5000)
      checkpoints.committed()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    expect(existsSync(path)).toBe(false)
    await rename(`${path}.away`, path)
    insert(5000)
    checkpoints.committed()
    await vi.waitFor(async () => expect(await copied()).toBe(20_000), 20_000)
    await checkpoints.close()
    writer.close()
  })

  test('is copied by a thread that loads nothing of what the command loads', async () => {
    const { path, writer } = await newDatabase()
    writer.close()
    const hook = (name: string) =>
      `data:text/javascript,${encodeURIComponent(`import { writeSync } from 'node:fs'; writeSync(1, '${name} ')`)}`
    const program = [WRITING, path, new URL('./sqlite-checkpoints.ts', import.meta.url).href]
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', hook('option'), '--input-type=module', '-e', ...program],
      { env: { ...process.env, NODE_OPTIONS: `--import=${hook('environment')}` } },
    )
    expect(stdout.split(' ').sort()).toEqual(['done', 'environment', 'option'])
  })

  test('stays in the log where the process is given no further thread, and the writer goes on', async () => {
    const { path, writer, copied } = await newDatabase()
    writer.close()
    const rights = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*']
    const program = [WRITING, path, new URL('./sqlite-checkpoints.ts', import.meta.url).href]
    const { stdout } = await promisify(execFile)(process.execPath, [...rights, '--input-type=module', '-e', ...program])
    expect(stdout).toBe('done')
    expect(await copied()).toBe(15_000)
  })
})
