import { expect, test } from 'vitest'
import { closest } from './did-you-mean.ts'

test.each([
  ['titel', ['slug', 'title'], 'title'],
  ['nwe', ['new'], 'new'],
  ['cty', ['city'], 'city'],
  ['TITLE', ['title'], 'title'],
  ['--dryrun', ['--drafts', '--dry-run'], '--dry-run'],
  ['--firstname', ['--last-name', '--first-name'], '--first-name'],
  ['@cms/imgae', ['@cms/file', '@cms/image'], '@cms/image'],
])('%j among %j may be meant for %j', (name, names, meant) => {
  expect(closest(name, names)).toBe(meant)
})

test.each([
  ['--username', ['--role', '--email', '--first-name', '--last-name', '--site']],
  ['--role', ['--site', '--file', '--from']],
  ['--host', ['--port', '--site']],
  ['--new', ['--yes', '--site']],
  ['@cms/quote', ['@cms/video', '@cms/file']],
  ['QUIRE_HOST', ['QUIRE_PORT', 'QUIRE_SITE']],
  ['age', ['tag']],
])('%j is like none of %j', (name, names) => {
  expect(closest(name, names)).toBeNull()
})
