import { expect, test } from 'vitest'
import { uploadsOf } from '../app.ts'
import { databaseFile } from './open-store.ts'

test.each([
  ['sqlite:data/quire.db', 'data/quire.db', 'data/uploads'],
  ['sqlite://data/quire.db', 'data/quire.db', 'data/uploads'],
  ['sqlite:/srv/shelf/quire.db', '/srv/shelf/quire.db', '/srv/shelf/uploads'],
  ['sqlite:///srv/shelf/quire.db', '/srv/shelf/quire.db', '/srv/shelf/uploads'],
  ['quire.db', 'quire.db', 'uploads'],
  ['postgres://quire@localhost/shelf', null, 'data/uploads'],
])('%s is the file %s, and its uploads are in %s', (database, file, uploads) => {
  expect(databaseFile(database)).toBe(file)
  expect(uploadsOf({ database })).toBe(uploads)
})

test.each(['sqlite:', 'sqlite::memory:', 'mysql://quire@localhost/shelf'])('%s names no database', (database) => {
  expect(() => databaseFile(database)).toThrow('No database is named by')
  expect(() => uploadsOf({ database })).toThrow('No database is named by')
})
