import { Failure } from '../../ui/failure.tsx'
import { t } from '../../words/words.ts'

/** Says what could not be loaded, in the words of the service where it has any. */
export function LoadFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { message, requestId, name } = failureOf(error)
  return (
    <Failure
      message={name === 'offline' ? t.frame.offline : message}
      requestId={requestId}
      {...(onRetry ? { onRetry } : {})}
    />
  )
}

function failureOf(error: unknown): { message: string; requestId: string | null; name: string } {
  if (!(error instanceof Error)) return { message: t.frame.failed, requestId: null, name: '' }
  const requestId = 'requestId' in error && typeof error.requestId === 'string' ? error.requestId : null
  return { message: error.message, requestId, name: error.name }
}
