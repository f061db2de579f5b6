import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OWN_FOLDER } from '../../base/own-folder.ts'
import { ConfigurationError } from '../../model/terms/configuration-error.ts'
import { explain } from '../command/failure.ts'

/** Why a site cannot be served, for whoever writes it: what is wrong, and in which line of their files. */
export function mistakeIn(error: unknown, siteFile: string, folder: string): string {
  const explained = explain(error)
  const known = error instanceof ConfigurationError ? `${siteFile}: ${explained}` : explained
  if (known !== null) return withShortPaths(known, folder)
  if (!(error instanceof Error)) return String(error)
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
  const own = frames.filter(
    (line) => /file:|\//.test(line) && !/node:|\/node_modules\//.test(line) && !line.includes(OWN_FOLDER),
  )
  const lines = [`${error.name}: ${error.message}`, ...(own.length > 0 ? own : frames)]
  return withShortPaths(lines.join('\n'), folder)
}

/** Paths as one would type them in the folder. */
function withShortPaths(text: string, folder: string): string {
  const urls = /file:\/\/[^\s)]+?(?=:\d|[\s)]|$)/g
  return text.replace(urls, (url) => relative(folder, fileURLToPath(url))).replaceAll(folder + sep, '')
}
