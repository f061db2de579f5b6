import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { paste, QUIRE } from '../example/command.ts'
import { missing, type Snippet } from './snippets.ts'

/** Commands as a reader has them. */
export interface Tools {
  /** The folder of the commands. */
  readonly folder: string
  remove(): Promise<void>
}

/** Makes a folder of commands: a `curl` that prints failures only, `quire`, and these shell scripts. */
export async function makeTools(scripts: Readonly<Record<string, string>> = {}): Promise<Tools> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-tools-'))
  const all = { curl: 'exec curl -sS "$@"', quire: `exec '${process.execPath}' '${QUIRE}' "$@"`, ...scripts }
  for (const [name, script] of Object.entries(all))
    await writeFile(join(folder, name), `#!/bin/sh\nPATH="$TOOLS_PATH"\n${script}\n`, { mode: 0o755 })
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/** A reader's terminal: each block is pasted into a shell that knows what those before it have defined, and where they went. */
export class Terminal {
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #state: string

  constructor(folder: string, tools: Tools, environment: Readonly<Record<string, string>> = {}) {
    const path = process.env.PATH ?? ''
    this.#folder = folder
    this.#state = join(folder, 'shell-state')
    this.#environment = { PATH: `${tools.folder}:${path}`, TOOLS_PATH: path, ...environment }
  }

  /** Runs a block and returns its output. It must not fail. The service is at `address` in place of the usual one. */
  async paste(text: string, place: string, address = ''): Promise<string> {
    const state = `'${this.#state}'`
    const kept = `{ declare -p KEY ID ETAG TOKEN TOPIC RUN FIRST QUIRE_SITE; declare -f; echo "cd '$PWD'"; } > ${state} 2>/dev/null || true`
    const script = `[ -f ${state} ] && . ${state}\nset -e\n${text.replaceAll('http://localhost:3000', address)}\n${kept}`
    const { code, out, err } = await paste(script, this.#folder, this.#environment)
    expect({ code, err: code === 0 ? '' : err }, place).toEqual({ code: 0, err: '' })
    return out + err
  }
}

/** Expects the content of a `json` or `text` block in the output before it; `…` stands for anything. */
export function expectShown({ language, text }: Snippet, answer: string, place: string): void {
  if (language === 'json') expect(missing(JSON.parse(text), parsed(answer, place)), place).toEqual([])
  if (language === 'text') expectLines(text, answer, place)
}

function parsed(answer: string, place: string): unknown {
  try {
    return JSON.parse(answer.slice(Math.max(0, answer.search(/^\{/m))))
  } catch {
    throw new Error(`${place}: the answer before it is not JSON: ${answer.slice(0, 300)}`)
  }
}

function expectLines(text: string, answer: string, place: string): void {
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const parts = line
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect(answer, place).toMatch(new RegExp(parts.join('.*'), 'i'))
  }
}
