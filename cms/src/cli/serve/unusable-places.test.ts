import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { siteFolder, startIn } from '../../../test/developing.ts'

const SITE = `import { defineSite } from 'quire-cms'
export const site = defineSite({ name: 'Tiny', types: [] })
`
const SERVE = ['serve', '--port', '0']

test('§0.12 a port for metrics that is in use is reported by the name of its own setting', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => void server.close())
  // `as`: it listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo
  const folder = await siteFolder({ 'site.ts': SITE })
  const service = startIn(folder, SERVE, { QUIRE_METRICS_PORT: String(port) })
  await service.says(`quire: Port ${port} is in use: choose another one with QUIRE_METRICS_PORT.`)
  expect(service.said).not.toContain('--port')
})

test('§0.12 a port for metrics that is the one of the service is reported before anything is opened', async () => {
  const folder = await siteFolder({ 'site.ts': SITE })
  const service = startIn(folder, ['serve', '--port', '3999'], { QUIRE_METRICS_PORT: '3999' })
  await service.says('quire: QUIRE_METRICS_PORT must be another port than that of the service, 3999.')
  expect(await readdir(folder.path)).toEqual(expect.not.arrayContaining(['data']))
})

test('a file where the folder of the database should be is reported without a stack', async () => {
  const folder = await siteFolder({ 'site.ts': SITE, notes: 'Not a folder.' })
  const service = startIn(folder, SERVE, { QUIRE_DATABASE: 'sqlite:notes/quire.db' })
  await service.says('Something else has this name. Choose another location.')
  expect(service.said).not.toContain('    at ')
})

test.skipIf(process.platform !== 'linux')('a database where no folder can be made is reported, and soon', async () => {
  const folder = await siteFolder({ 'site.ts': SITE })
  const service = startIn(folder, SERVE, { QUIRE_DATABASE: 'sqlite:/proc/x/y.db' })
  await service.says('quire: ')
  expect(service.said).toContain('/proc/x')
  expect(service.said).not.toContain('    at ')
  expect(service.said.match(/quire: /g)).toHaveLength(1)
})

test('several workers say once that uploads cannot be stored', async () => {
  const folder = await siteFolder({ 'site.ts': SITE, notes: 'Not a folder.' })
  const service = startIn(folder, [...SERVE, '--workers', '2'], { QUIRE_UPLOADS: 'notes/uploads' })
  await service.says('"worker":1')
  await service.says('"worker":2')
  expect(service.said.match(/Uploads cannot be stored/g)).toHaveLength(1)
})

test('a variable whose name is nearly that of a setting is reported at the start, others of the site are not', async () => {
  const folder = await siteFolder({ 'site.ts': SITE })
  const service = startIn(folder, SERVE, { QUIRE_DATABSE: 'sqlite:other.db', QUIRE_COLOR_OF_THE_SITE: 'blue' })
  await service.says('QUIRE_DATABSE is not a variable of Quire. Did you mean QUIRE_DATABASE?')
  await service.says('The service has started.')
  expect(service.said).not.toContain('COLOR')
  const command = startIn(folder, ['job', 'list'], { QUIRE_DATABSE: 'sqlite:other.db' })
  await command.says('quire: QUIRE_DATABSE is not a variable of Quire. Did you mean QUIRE_DATABASE?')
})
