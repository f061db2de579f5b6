import type { ComponentType } from 'preact'
import { lazy } from 'preact-iso'
import { loadPart } from '../../data/build.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'

/** A component that is loaded when it is first drawn; says so where it cannot be. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<ComponentType<Props>> => {
    try {
      return await loadPart(load)
    } catch {
      return PartFailed
    }
  })
}

function PartFailed() {
  return (
    <div role="alert" class="q-failure">
      <p>{t.frame.partFailed}</p>
      <Button onPress={() => location.reload()}>{t.frame.reload}</Button>
    </div>
  )
}
