import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Kind } from './databases.ts'
import { resultsPage, titledText } from './report.ts'
import { LARGEST, rows } from './rows.ts'
import { measureSection, type Section } from './section.ts'
import { startBare, startClient } from './start.ts'
import { type Bench, COMPARING, effortFor, QUICK, WHOLE } from './steady.ts'

// `npm run bench`: what the service costs, with 5,000 and 100,000 articles on both databases. Writes `bench/results.md`.
// `npm run bench -- --quick`: 5,000 articles on SQLite, in two minutes. Prints the table.

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Names of rows, or parts of them. */
    rows: { type: 'string' },
    /** Numbers of articles. */
    documents: { type: 'string' },
    database: { type: 'string' },
    /** Another checkout of this repository, whose service is measured, too. */
    against: { type: 'string' },
    /** Megabytes of the answer cache. */
    cache: { type: 'string' },
    /** Measures without the answer cache, too. */
    off: { type: 'boolean', default: false },
    /** Loads databases again. */
    fresh: { type: 'boolean', default: false },
    /** A folder for CPU profiles. */
    profile: { type: 'string' },
    out: { type: 'string' },
  },
})

const isQuick = flags.quick || flags.rows !== undefined || flags.against !== undefined
const sizes = (flags.documents ?? (isQuick ? '5000' : '5000,100000')).split(',').map(Number)
const kinds = (flags.database ?? (isQuick ? 'sqlite' : 'sqlite,postgres')).split(',').map(kindOf)
const against = flags.against === undefined ? null : resolve(flags.against)
const effort = against !== null ? COMPARING : isQuick ? QUICK : WHOLE
const started = new Date()
const bench: Bench = { client: await startClient(), bare: await startBare(), effort }
const sections: Section[] = []
try {
  for (const kind of kinds) {
    for (const size of sizes) {
      const sized = { ...bench, effort: effortFor(size, effort) }
      sections.push(
        await measureSection(sized, {
          rows: rowsFor(size),
          kind,
          size,
          isOffToo: flags.off || !isQuick,
          against,
          cacheMegabytes: flags.cache === undefined ? undefined : Number(flags.cache),
          isFresh: flags.fresh,
          starts: isQuick ? 1 : 5,
          profile: flags.profile,
        }),
      )
    }
  }
} finally {
  await bench.client.stop()
  await bench.bare.child.stop()
}
const out = flags.out ?? (isQuick ? null : fileURLToPath(new URL('results.md', import.meta.url)))
if (out === null) console.log(sections.map(titledText).join('\n\n'))
else await writeFile(out, resultsPage({ started, sections, effort }))

function rowsFor(size: number) {
  const wanted = flags.rows?.split(',')
  const chosen = rows.filter(({ name }) => wanted === undefined || wanted.some((part) => name.includes(part)))
  return size < LARGEST ? chosen : chosen.filter(({ isGrowing }) => isGrowing)
}

function kindOf(name: string): Kind {
  if (name === 'sqlite' || name === 'postgres') return name
  throw new Error(`--database takes sqlite and postgres, not ${name}.`)
}
