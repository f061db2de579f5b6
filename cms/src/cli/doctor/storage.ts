import { access, constants, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { newId } from '../../base/ids.ts'
import { type AppOptions, openUploads, uploadsOf } from '../../service.ts'
import { explain } from '../command/failure.ts'
import { silentLog } from '../command/json-log.ts'
import { type Finding, Findings, isDenied } from './finding.ts'

const PUBLIC_MS = 5_000

/** The storage of uploads: a file is stored, read, asked for at its public address and removed again. */
export async function checkStorage(options: AppOptions): Promise<readonly Finding[]> {
  const found = new Findings('storage')
  const where = uploadsOf(options)
  const isFolder = !where.startsWith('s3:')
  if (isFolder && (await isDenied(found, where))) return found.all
  if (isFolder && (await stat(where).catch(() => null)) === null) {
    await checkMissing(found, where)
    return found.all
  }
  const name = `attachments/${newId()}-doctor.txt`
  const content = Buffer.from(`A test by quire doctor: ${name}\n`)
  try {
    const files = await openUploads({ prefix: '' }, { ...options, log: silentLog })
    try {
      await files.put(name, { source: content })
      const stored = await files.open(name)
      const read = stored === null ? null : (stored.bytes ?? (await buffer(stored.stream)))
      if (read?.equals(content)) found.ok(`Uploads can be stored in ${where} and read.`)
      else found.fail(`A file stored in ${where} is different when it is read.`, 'Check the storage.')
      if (files.isServedElsewhere) await checkPublicUrl(found, files.url(name), content)
    } finally {
      await files.remove([name])
      await files.close()
    }
    if ((await files.facts(name).catch(() => null)) !== null)
      found.warn(`A test file cannot be removed from ${where}.`, 'Allow the service to remove files there.')
  } catch (error) {
    const [what = '', advice = 'Check QUIRE_UPLOADS, and who may write there.'] = (
      explain(error) ?? String(error)
    ).split('\n')
    found.fail(`Uploads cannot be stored in ${where}: ${what}`, advice)
  }
  if (isFolder) await checkFolder(found, where)
  return found.all
}

async function checkMissing(found: Findings, folder: string): Promise<void> {
  let above = dirname(resolve(folder))
  while ((await stat(above).catch(() => null)) === null) above = dirname(above)
  const canBeMade = (await stat(above)).isDirectory() && (await canWrite(above))
  if (canBeMade)
    found.warn(
      `There is no folder ${folder}.`,
      'The first upload makes it. If there was one, put it back, or set QUIRE_UPLOADS.',
    )
  else
    found.fail(
      `There is no folder ${folder}, and none can be made in ${above}.`,
      'Check QUIRE_UPLOADS, and who may write there.',
    )
}

function canWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}

async function checkPublicUrl(found: Findings, url: string, content: Buffer): Promise<void> {
  const { origin } = new URL(url)
  const answer = await fetch(url, { signal: AbortSignal.timeout(PUBLIC_MS) }).catch(() => null)
  const body = answer?.ok ? Buffer.from(await answer.arrayBuffer()) : null
  if (body?.equals(content)) return found.ok(`Browsers get uploads from ${origin}.`)
  const what = answer === null ? 'does not answer' : `answers with ${answer.status}`
  found.warn(
    `${origin}, where browsers are to get uploads, ${what}.`,
    'Check QUIRE_UPLOADS_URL, and who may read there.',
  )
}

async function checkFolder(found: Findings, folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null)
  if (stats === null || process.platform === 'win32') return
  if ((stats.mode & 0o002) !== 0)
    found.warn(`Everybody on this machine may write in ${folder}.`, `Run: chmod o-w '${folder}'`)
}
