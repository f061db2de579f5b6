import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node'

/**
 * For vitest (`poolRunner`): the process that runs tests is kept from run to run with everything that it has loaded,
 * where vitest starts one for each. `end` ends it; the next run starts another.
 */
export class KeptWorker {
  readonly name = 'kept'
  #process: ChildProcess | undefined

  createPoolWorker(options: PoolOptions): PoolWorker {
    // A process that is kept was started, and answers no second time.
    let isStarted = this.#process !== undefined
    const child = this.#process ?? this.#start(options)
    this.#process = child
    const answer = (type: string) => child.emit('message', { __vitest_worker_response__: true, type })
    return {
      name: this.name,
      cacheFs: true,
      on: (event, callback) => void child.on(event, callback),
      off: (event, callback) => void child.off(event, callback),
      send: (message: WorkerRequest) => {
        if (message.type === 'stop') setImmediate(answer, 'stopped')
        else if (message.type === 'start' && isStarted) setImmediate(answer, 'started')
        else if (child.connected) child.send(message)
        isStarted ||= message.type === 'start'
      },
      deserialize: (data) => data,
      start: async () => {},
      stop: async () => void child.removeAllListeners('message').removeAllListeners('error'),
    }
  }

  /** Ends the process, whatever it does. */
  end(): void {
    this.#process?.kill('SIGKILL')
    this.#process = undefined
  }

  #start({ distPath, env, execArgv }: PoolOptions): ChildProcess {
    const child = fork(join(distPath, 'workers/forks.js'), [], {
      env: env as NodeJS.ProcessEnv,
      execArgv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    child.once('exit', () => {
      if (this.#process === child) this.#process = undefined
    })
    return child
  }
}
