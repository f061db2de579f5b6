import packageJson from '../../../package.json' with { type: 'json' }
import { isObject, type JsonObject } from '../../base/json.ts'
import { UsageError } from '../command/failure.ts'
import { jsonOrNull } from '../command/outside-json.ts'
import { type ArchiveFile, type ArchivePart, archiveParts, bytesOf } from './read-archive.ts'

/** The kinds of archives: all of a database with its uploads, or content that any database takes. */
type ArchiveKind = 'backup' | 'export'

/** The description of an archive, in its first part. */
export interface Manifest {
  readonly format: `quire-${ArchiveKind}`
  /** The version of the format. */
  readonly formatVersion: number
  /** The version of the program that wrote it. */
  readonly product: string
  /** The site's name; null where it was not known. */
  readonly site: string | null
  /** When its content was as it holds it (ISO 8601). */
  readonly createdAt: string
  /** Further properties of this kind. */
  readonly [name: string]: unknown
}

/** The name of the first part. */
export const MANIFEST = 'manifest.json'

const FORMAT_VERSION = 1
const MOST_BYTES = 16 * 1024 * 1024

/** A manifest as the text of a part. */
export function manifestText(kind: ArchiveKind, site: string | null, createdAt: Date, rest: JsonObject): string {
  const manifest: Manifest = {
    format: `quire-${kind}`,
    formatVersion: FORMAT_VERSION,
    product: packageJson.version,
    site,
    createdAt: createdAt.toISOString(),
    ...rest,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Reads what an archive says of itself. Throws when it is of another kind, or was written by a newer program. */
export async function readManifest(archive: ArchiveFile, kind: ArchiveKind): Promise<Manifest> {
  for await (const part of archiveParts(archive)) return manifestOf(part, archive, kind)
  throw new UsageError(`${archive.name} is empty.`)
}

async function manifestOf(part: ArchivePart, { name }: ArchiveFile, kind: ArchiveKind): Promise<Manifest> {
  const manifest = part.name === MANIFEST ? jsonOrNull((await bytesOf(part, MOST_BYTES)).toString('utf8')) : null
  if (!isManifest(manifest)) throw new UsageError(`${name} was not written by Quire.`)
  if (manifest.formatVersion > FORMAT_VERSION) {
    throw new UsageError(`${name} was written by Quire ${manifest.product}. Read it with that version, or a newer one.`)
  }
  if (manifest.format === `quire-${kind}`) return manifest
  const command = kind === 'backup' ? 'quire import' : 'quire restore'
  throw new UsageError(`${name} is not what this command reads: it is ${named(manifest)}. Use: ${command}`)
}

function named({ format }: Manifest): string {
  return format === 'quire-backup' ? 'a backup' : 'an export'
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value)) return false
  const isKnown = value.format === 'quire-backup' || value.format === 'quire-export'
  return isKnown && Number.isInteger(value.formatVersion) && typeof value.createdAt === 'string'
}
