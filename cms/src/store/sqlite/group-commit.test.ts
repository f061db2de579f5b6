import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { GroupCommit } from './group-commit.ts'

/** Groups on a real database, and how often each kind of command was sent. */
function groups() {
  const database = new DatabaseSync(':memory:')
  database.exec('create table t (name text primary key)')
  const commands: string[] = []
  let writes = 0
  const commits = new GroupCommit(
    {
      begin: async () => database.exec('begin immediate'),
      run: (command) => {
        commands.push(command)
        database.exec(command)
      },
      isInTransaction: () => database.isTransaction,
      writes: () => writes,
    },
    10_000,
  )
  const insert = (name: string) => {
    writes += 1
    database.prepare('insert into t (name) values (?)').run(name)
  }
  const names = () =>
    database
      .prepare('select name from t order by name')
      .all()
      .map(({ name }) => name)
  const inserting = (name: string) =>
    commits.transaction(
      async () => {
        insert(name)
        return name
      },
      () => {},
    )
  return { commits, commands, insert, inserting, names, database }
}

const refused = () => Promise.reject(new Error('refused'))

test('transactions that wait at the same time are committed once, without savepoints', async () => {
  const { commands, inserting, names } = groups()
  await Promise.all(['a', 'b', 'c'].map(inserting))
  expect(commands).toEqual(['commit'])
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('one that fails before it has written takes nobody along', async () => {
  const { commits, commands, inserting, names } = groups()
  const results = await Promise.allSettled([inserting('a'), commits.transaction(refused, () => {}), inserting('b')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(commands).toEqual(['commit'])
  expect(names()).toEqual(['a', 'b'])
})

test('one that fails after it has written leaves nothing, and the others of its group are stored all the same', async () => {
  const { commits, commands, insert, inserting, names } = groups()
  const committed: string[] = []
  const failing = async () => {
    insert('x')
    return refused()
  }
  const results = await Promise.allSettled([
    inserting('a'),
    commits.transaction(
      async () => insert('b'),
      () => committed.push('b'),
    ),
    commits.transaction(failing, () => committed.push('x')),
    inserting('c'),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(commands.slice(0, 2)).toEqual(['rollback', 'savepoint one'])
  expect(names()).toEqual(['a', 'b', 'c'])
  expect(committed).toEqual(['b'])
})

test('what fails again when its group is done again is undone alone', async () => {
  const { commits, insert, inserting, names } = groups()
  let attempts = 0
  const failsTheSecondTime = async () => {
    attempts += 1
    insert('y')
    if (attempts === 2) return refused()
  }
  const results = await Promise.allSettled([
    inserting('a'),
    commits.transaction(failsTheSecondTime, () => {}),
    inserting('b'),
    commits.transaction(
      async () => insert('a'),
      () => {},
    ),
    inserting('c'),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('when nothing can be committed no caller hears that it was', async () => {
  const { commits, database, insert, inserting } = groups()
  const lost = commits.transaction(
    async () => {
      insert('z')
      database.exec('rollback')
    },
    () => {},
  )
  const results = await Promise.allSettled([inserting('a'), lost, inserting('b')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await expect(inserting('d')).resolves.toBe('d')
})

test('however many wait for another process, each waits only so long since it came', async () => {
  const deadlines: number[] = []
  const commits = new GroupCommit(
    {
      begin: async (deadline) => {
        deadlines.push(deadline)
        await new Promise((resolve) => setTimeout(resolve, 20))
        throw new Error('busy')
      },
      run: () => {},
      isInTransaction: () => false,
      writes: () => 0,
    },
    1_000,
  )
  const work = () =>
    commits.transaction(
      async () => 'done',
      () => {},
    )
  const results = Promise.allSettled([work(), work(), work()])
  const came = performance.now()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(deadlines).toHaveLength(3)
  for (const deadline of deadlines) expect(deadline).toBeLessThanOrEqual(came + 1_000)
})
