import { expect, test } from 'vitest'
import { siteFolder, startIn } from '../../../test/developing.ts'
import { freePort } from '../../../test/free-port.ts'
import { logLevel } from './json-log.ts'

const SITE = `import { defineSite, piece } from 'quire-cms'
export const site = defineSite({
  name: 'Tiny',
  types: [piece('note', { publicApiProjection: ['title'], fields: { add: {} } })],
})
`
const SERVE = ['serve', '--port', '0']

/** Returns the JSON lines of the output, once there are so many. */
async function entries(service: { readonly said: string }, count: number) {
  const lines = () => service.said.split('\n').filter((line) => line.startsWith('{'))
  await expect.poll(() => lines().length).toBe(count)
  return lines().map((line) => JSON.parse(line) as object)
}

test('QUIRE_LOG_LEVEL names a level of pino, in any case; a wrong one is reported', () => {
  expect(logLevel({})).toBe('info')
  expect(logLevel({ QUIRE_LOG_LEVEL: ' ' })).toBe('info')
  expect(logLevel({ QUIRE_LOG_LEVEL: 'WARN' })).toBe('warn')
  expect(() => logLevel({ QUIRE_LOG_LEVEL: 'loud' })).toThrow(
    'QUIRE_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not “loud”.',
  )
})

test('quire serve logs JSON; with QUIRE_ACCESS_LOG=1 a line for each request', async () => {
  const folder = await siteFolder({ 'site.ts': SITE, '.env': 'QUIRE_ACCESS_LOG=1\n' })
  const service = startIn(folder, SERVE)
  await service.says('The service has started.')
  await fetch(`${service.address}/api/v1/note`)
  await fetch(`${service.address}/api/v1/note`)
  expect(await entries(service, 3)).toMatchObject([
    { level: 30, site: 'Tiny', address: service.address, msg: 'The service has started.' },
    { level: 30, method: 'GET', path: '/api/v1/note', status: 200, cached: false, msg: 'A request was answered.' },
    { level: 30, method: 'GET', path: '/api/v1/note', status: 200, cached: true },
  ])
})

test('without it there is none, and below its level nothing is logged', async () => {
  const folder = await siteFolder({ 'site.ts': SITE })
  const port = String(await freePort())
  const [usual, quiet] = [
    startIn(folder, SERVE),
    startIn(folder, ['serve', '--port', port], { QUIRE_LOG_LEVEL: 'warn' }),
  ]
  await usual.says('The service has started.')
  const quietAddress = `http://localhost:${port}`
  const isThere = async () => (await fetch(`${quietAddress}/api/v1/health`).catch(() => null))?.status
  await expect.poll(isThere, { timeout: 20_000 }).toBe(200)
  for (const address of [usual.address, quietAddress]) {
    await fetch(`${address}/api/v1/note`)
    await fetch(`${address}/api/v1/note?apikey=wrong`)
  }
  const refused = { level: 30, status: 401, msg: 'A caller was refused.' }
  expect(await entries(usual, 2)).toMatchObject([{ msg: 'The service has started.' }, refused])
  expect(await usual.end('SIGTERM')).toBe(0)
  const [stopping, stopped] = (await entries(usual, 4)).slice(2)
  expect(stopping).toMatchObject({ level: 30, reason: 'SIGTERM', msg: 'The service stops.' })
  expect(stopped).toMatchObject({
    level: 30,
    reason: 'SIGTERM',
    ms: expect.any(Number),
    msg: 'The service has stopped.',
  })
  expect(await quiet.end('SIGTERM')).toBe(0)
  expect(quiet.said).toBe('')
})

test('a wrong QUIRE_LOG_LEVEL or QUIRE_ACCESS_LOG stops the start', async () => {
  const folder = await siteFolder({ 'site.ts': SITE })
  await startIn(folder, SERVE, { QUIRE_LOG_LEVEL: 'loud' }).says('QUIRE_LOG_LEVEL must be one of trace')
  await startIn(folder, SERVE, { QUIRE_ACCESS_LOG: 'maybe' }).says('QUIRE_ACCESS_LOG must be 1 or 0, not “maybe”.')
})
