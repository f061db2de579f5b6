import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import './failure.css'

interface FailureProps {
  readonly message: string
  readonly requestId?: string | null | undefined
  readonly onRetry?: () => void
}

/** A message that something could not be loaded or done, with a way on. */
export function Failure({ message, requestId, onRetry }: FailureProps) {
  return (
    <div role="alert" class="q-failure">
      <p>{message}</p>
      {onRetry && <Button onPress={onRetry}>{t.frame.tryAgain}</Button>}
      {requestId && <small>{t.frame.requestId(requestId)}</small>}
    </div>
  )
}
