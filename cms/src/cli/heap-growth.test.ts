import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const START = `
  const growth = await import(${JSON.stringify(new URL('./heap-growth.ts', import.meta.url))})
  growth.keepHeapSmall()
  growth.boundHeapGrowth()
  console.log('started')`

test('V8 knows all flags that a start sets, in the version of Node.js that runs it', () => {
  const args = ['--no-warnings', '--input-type=module', '--eval', START]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'started\n', stderr: '' })
})
