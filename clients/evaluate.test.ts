import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from './evaluation/evaluating.ts'
import { ModelStandIn } from './evaluation/model-stand-in.ts'

// `npm run evaluate`, against a program that speaks as a model does.

const KEY = 'secret-of-the-endpoint'
const ROOT = join(import.meta.dirname, '..')
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
  const options = (...more: readonly string[]) => {
    return ['--protocol', protocol, '--url', url, '--model', 'stand-in', ...more]
  }

  it('writes down what was passed, what it cost, and what differed', async () => {
    const out = join(folder, 'results.md')
    const tasks = 'make-topic,restore-subtitle,find-untranslated,find-words'
    const prices = ['--price-in', '3', '--price-out', '15']
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const written = await evaluate(options('--tasks', tasks, '--steps', '4', ...prices, '--out', out), KEY, print)
    expect(written).toBe(out)
    expect(printed.map((line) => line.split('\n', 1)[0])).toEqual(['passed', 'passed', 'failed', 'failed'])
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
    for (const [given, key, message] of [
      [['--tasks', 'make-topic'], 'wrong', /answered 400/],
      [['--tasks', 'nothing'], KEY, /There is no task nothing/],
      [['--steps', 'many'], KEY, /--steps is a number/],
      [['--protocol', 'other'], KEY, /--protocol is openai or anthropic/],
    ] as const) {
      await expect(evaluate(options(...given, '--out', out), key, () => {})).rejects.toThrow(message)
    }
    expect(await readdir(folder)).not.toContain('nothing')
  })
})

it('npm run evaluate says what it needs', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const [, ...program] = scripts.evaluate.split(' ')
  const needs = /Say which model, and where: --model NAME --url https/
  await expect(run(process.execPath, program, { cwd: ROOT })).rejects.toThrow(needs)
})
