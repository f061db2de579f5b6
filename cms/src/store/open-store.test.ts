import { expect, test } from 'vitest'
import { uploadsOf } from '../service.ts'
import { databaseFile } from './database/database-file.ts'

test.each([
  ['sqlite:data/quire.db', 'data/quire.db', 'data/uploads'],
  ['sqlite://data/quire.db', 'data/quire.db', 'data/uploads'],
  ['sqlite:/srv/shelf/quire.db', '/srv/shelf/quire.db', '/srv/shelf/uploads'],
  ['sqlite:///srv/shelf/quire.db', '/srv/shelf/quire.db', '/srv/shelf/uploads'],
  ['quire.db', 'quire.db', 'uploads'],
  ['C:\\shelf\\quire.db', 'C:\\shelf\\quire.db', 'uploads'],
  ['sqlite:at:noon.db', 'at:noon.db', 'uploads'],
  ['postgres://quire@localhost/shelf', null, 'data/uploads'],
  ['postgres://quire:p%23%40%2F%3F%25w@localhost/shelf', null, 'data/uploads'],
  ['postgres:///shelf?host=/var/run/postgresql', null, 'data/uploads'],
])('%s is the file %s, and its uploads are in %s', (database, file, uploads) => {
  expect(databaseFile(database)).toBe(file)
  expect(uploadsOf({ database })).toBe(uploads)
})

test.each([
  'sqlite:',
  'sqlite::memory:',
  'mysql://quire@localhost/shelf',
  'SQLITE:data/quire.db',
  'sqlite3:data/quire.db',
])('%s names no database', (database) => {
  expect(() => databaseFile(database)).toThrow('No database is named by')
  expect(() => uploadsOf({ database })).toThrow('No database is named by')
})

test.each(['secret#1@', '12#secret@', 'secret/1@', '12/secret@', 'secret?1@', 'secret'])(
  'a password with a character that ends the address is refused without it: %s',
  (password) => {
    // The last is what is left of one with # in a file `.env`, where it is not quoted.
    const url = `postgres://quire:${password}${password.endsWith('@') ? 'localhost/shelf' : ''}`
    expect(() => databaseFile(url)).toThrow('# is %23')
    expect(() => databaseFile(url)).not.toThrow('secret')
  },
)
