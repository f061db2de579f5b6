import { createApp } from '../cms/src/app.ts'
import { childSettings, reply } from './children.ts'
import { site } from './site.ts'
import { insertTree } from './tree.ts'

/** A process that fills an empty database with a tree of pages; its result names what is in it. */
interface LoadSettings {
  readonly database: string
  /** Null: adds the pages that are moved to a tree that is there. */
  readonly size: number | null
}

/** The move: of a page with 1,000 others below it, to and fro between two places. */
export interface MovedPages {
  readonly subtree: string
  readonly landings: readonly [string, string]
}

const SUBTREE = 1000

const { database, size } = childSettings<LoadSettings>()
reply(load)

/** The ids of the tree's pages, or what is moved. */
async function load(): Promise<readonly string[] | MovedPages> {
  const app = await createApp(site, { database })
  try {
    if (size !== null) return await insertTree(app, size, '_home')
    const [subtree = '', first = '', second = ''] = await insertTree(app, 3, '_home')
    await insertTree(app, SUBTREE, subtree)
    return { subtree, landings: [first, second] }
  } finally {
    await app.close()
  }
}
