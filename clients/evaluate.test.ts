import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelStandIn } from './evaluation/model-stand-in.ts'

// `npm run evaluate`, against a program that speaks as a model does.

const KEY = 'secret-of-the-endpoint'
const PROGRAM = join(import.meta.dirname, 'evaluation/evaluate.ts')
const run = promisify(execFile)

describe.each(['openai', 'anthropic'] as const)('the evaluation by the protocol of %s', (protocol) => {
  const model = new ModelStandIn(protocol, KEY)
  let folder = ''
  let url = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-evaluate-'))
    const address = await model.listen()
    url = protocol === 'openai' ? `${address}/v1/` : address
  })
  afterAll(async () => {
    model.close()
    await rm(folder, { recursive: true, force: true })
  })
  const evaluate = (options: readonly string[], key = KEY) => {
    const program = ['--conditions=quire-source', PROGRAM, '--protocol', protocol, '--url', url]
    const env = { ...process.env, EVALUATE_KEY: key }
    return run(process.execPath, [...program, '--model', 'stand-in', ...options], { env })
  }

  it('writes down what was passed, what it cost, and what differed', async () => {
    const out = join(folder, 'results.md')
    const tasks = 'make-topic,restore-subtitle,find-untranslated,find-words'
    const prices = ['--price-in', '3', '--price-out', '15']
    await evaluate(['--tasks', tasks, '--steps', '4', ...prices, '--out', out])
    expect(model.refused).toEqual([])
    const text = await readFile(out, 'utf8')
    const [date] = new Date().toISOString().split('T')
    // 3 + 4 + 1 + 4 turns, each of 1000 tokens and 10.
    expect(text).toContain(`| ${date} | stand-in | 2 of 4 | 12000 | 120 | 0.0378 |`)
    expect(text).toContain('| make-topic | passed | 3 | 3000 | 30 |')
    expect(text).toContain('| restore-subtitle | passed | 4 | 4000 | 40 |')
    const differences = 'the answer: it lacks "History"<br>the answer: it has "Harbour"'
    expect(text).toContain(`| find-untranslated | ${differences} | 1 | 1000 | 10 |`)
    expect(text).toContain('| find-words | the agent should say “done”, and says “nothing”<br>')
  })

  it('writes nothing down where no model has answered', async () => {
    const out = join(folder, 'nothing', 'results.md')
    await expect(evaluate(['--tasks', 'make-topic', '--out', out], 'wrong')).rejects.toThrow(/answered 400/)
    await expect(evaluate(['--tasks', 'nothing', '--out', out])).rejects.toThrow(/There is no task nothing/)
    await expect(evaluate(['--steps', 'many', '--out', out])).rejects.toThrow(/--steps is a number/)
    expect(await readdir(folder)).not.toContain('nothing')
  })
})
