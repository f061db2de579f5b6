import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Failure } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

/** A component whose code is loaded when it is drawn first: outlines until then, and a way on where that fails. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Later(props: Props) {
    const step = useSignal<'loading' | 'failed' | 'there'>(loaded === null ? 'loading' : 'there')
    const start = async () => {
      step.value = 'loading'
      try {
        loaded = await load()
        step.value = 'there'
      } catch {
        step.value = 'failed'
      }
    }
    useEffect(() => {
      if (step.peek() === 'loading') void start()
    }, [])
    if (step.value === 'failed') return <Failure message={t.frame.failed} onRetry={() => void start()} />
    const Component = loaded
    return step.value === 'loading' || Component === null ? <Skeleton rows={4} /> : <Component {...props} />
  }
}
