import { stat } from 'node:fs/promises'
import type { Findings } from './finding.ts'

/** Whether this user may not even see what is at a path: whether there is something, then, is not known. */
export async function isDenied(found: Findings, path: string): Promise<boolean> {
  const code = await stat(path).then(
    () => '',
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (code !== 'EACCES' && code !== 'EPERM') return false
  found.fail(
    `This user may not enter the folder of ${path}.`,
    'Run this as the user of the service, or let this one enter the folder.',
  )
  return true
}
